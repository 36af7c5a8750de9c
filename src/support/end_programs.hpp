// Programs that we wait for (subprocess.hpp) are ended when the user wants us to end.
#pragma once

namespace fathom {

// Asked every few milliseconds while another program runs; null: nobody is.
void end_programs_when(bool (*asked_to_end)());

// At once, with all that they have started. For a signal handler that ends the process.
void end_programs_now();

}  // namespace fathom
