// expect: violated assertion "assert(x != 1000)"
int x;
bool b;
active proctype P() { atomic { do :: x++; assert(x != 1000) od } }
active proctype Q() { do :: b = !b od }
