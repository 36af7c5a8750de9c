// expect: violated claim end, trace 2
// expect: violated claim end, trace 2
// options: --search dfs
// expect: violated claim end, trace 2
// options: --search l2s
//
// The run ends, stays in its last state, and the claim goes on to its closing brace.
active proctype P() { skip }
never { true; true; true; true; true }
