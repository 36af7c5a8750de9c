// expect: rejected "there is no proctype `Q`"
// options: --allow-native-code
c_state "int n" "Local Q"
active proctype P() { c_code { ; } }
