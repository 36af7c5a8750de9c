// expect: holds
// options: --allow-native-code --property ltl:back
// expect: violated ltl "settles"
// options: --allow-native-code --property ltl:settles
c_state "int level" "Global" "1"
byte x;
active proctype P() { do :: c_code { now.level = 3 - now.level; now.x = now.level; } od }
ltl back { [] <> (c_expr { now.level == 1 }) }
ltl settles { <> [] (c_expr { now.level == 1 }) }
