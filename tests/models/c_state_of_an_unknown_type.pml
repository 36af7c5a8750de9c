// expect: rejected "unknown type name"
// options: --allow-native-code
c_state "Unheard n" "Global"
byte x;
active proctype P() { c_code { now.x = 1; } }
