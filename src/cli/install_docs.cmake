# The manual page and the shell completions come from the binary's own option table, so they cannot disagree with it.
# They are written when they are installed, because nothing else needs them.
set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(documents "man:fathom.1" "completions bash:fathom.bash" "completions zsh:_fathom" "completions fish:fathom.fish")
foreach(document ${documents})
  string(REPLACE ":" ";" document "${document}")
  list(GET document 0 command)
  list(GET document 1 file)
  string(REPLACE " " ";" command "${command}")
  install(CODE "file(MAKE_DIRECTORY \"${generated}\")
    execute_process(COMMAND \"$<TARGET_FILE:fathom>\" ${command} OUTPUT_FILE \"${generated}/${file}\"
                    COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES ${generated}/fathom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/fathom.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME fathom)
install(FILES ${generated}/_fathom DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${generated}/fathom.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
