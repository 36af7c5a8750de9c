// The machine behind lower(): one object per model and plan. Its parts are files of their own: lower_types.cpp,
// lower_channels.cpp, lower_places.cpp, lower_expressions.cpp, lower_messages.cpp, lower_queues.cpp,
// lower_statements.cpp, lower_edges.cpp, lower_outputs.cpp, lower_processes.cpp, lower_scheduling.cpp,
// lower_events.cpp, lower_claims.cpp, lower_refusals.cpp,
// embedded_objects.cpp and embedded_calls.cpp.
//
// The tree has been checked, so little can go wrong here: features that are not supported are refused before anything
// is lowered, and sizes that do not fit stop it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "lang/promela/channel_uses.hpp"
#include "lang/promela/embedded_text.hpp"
#include "lang/promela/flow_graph.hpp"
#include "lang/promela/lower.hpp"
#include "lang/promela/visibility.hpp"

namespace fathom::promela {

class Lowering {
 public:
  Lowering(const ParsedModel& model, const Plan& plan, const LowerOptions& options, const Sources& sources, FileId file,
           Diagnostics& diagnostics);
  Lowered run();
  std::unique_ptr<ir::Program> run_with(const Expr& question);

 private:
  // All channels of one capacity and one list of fields. They have consecutive numbers from `first` on and lie in one
  // array, unless they are rendezvous channels, which hold nothing.
  struct Shape {
    std::uint32_t capacity = 0;
    std::vector<Type> fields;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::vector<std::string> owners;  // names of the declarations
    bool is_private = false;          // of one variable, and reached by its name alone
    const ir::Variable* storage = nullptr;
    [[nodiscard]] bool is_rendezvous() const { return capacity == 0; }
  };
  // A planned process: where it keeps its location and its variables.
  struct Slot {
    const Process* process = nullptr;
    std::uint32_t pid = 0;
    bool initial = false;
    std::string name;
    const FlowGraph* graph = nullptr;
    const ir::Variable* location = nullptr;
    const ir::Variable* locals = nullptr;    // null: it has none
    const ir::Variable* priority = nullptr;  // null: the model has no priorities
    std::map<const Variable*, std::uint32_t> fields;
    std::map<const CState*, std::uint32_t> c_fields;
  };
  // A channel of a process (or, without a slot, a global one): which shape and the how many-th of it.
  struct Instance {
    Shape* shape = nullptr;
    std::uint32_t position = 0;
    [[nodiscard]] std::uint32_t id() const { return shape->first + position; }
  };
  using Owner = std::pair<const Slot*, const Variable*>;
  // A channel an operation is applied to.
  struct Channel {
    const ir::Expr* id = nullptr;        // null where only the position is needed
    const Shape* shape = nullptr;        // known before the run, or null
    const ir::Expr* position = nullptr;  // in a private array, whose bounds it must keep; else null
    SourceRange range;
    std::string text;
  };
  // What there is to say about one shape an operation may meet: a condition, or statements.
  using ShapeCondition = std::function<const ir::Expr*(const Shape&)>;
  using ShapeBody = std::function<void(const Shape&, ir::Block&)>;
  using Arguments = std::vector<ExprPtr>;
  using SlotValue = std::function<const ir::Expr*(const Slot&)>;
  enum class SlotQuestion : std::uint8_t { enabled, place };
  // An event of a trace, and from where to where it leads.
  struct EventEdge {
    const Stmt* statement;
    std::uint32_t source;
    std::uint32_t target;
  };
  // A message that has just been sent or received.
  struct Event {
    const Stmt* syntax;
    const ir::Expr* channel;
    std::vector<const ir::Expr*> message;
  };

  // lower.cpp
  void declare_globals();
  void lower_start();
  void lower_valid_end();
  void fail_on_size(SourceRange range, const std::string& what);
  const ir::Variable* variable(const std::string& name, const ir::Type* type, SourceRange range, bool hidden = false);
  [[nodiscard]] std::string quote(SourceRange range) const;

  // lower_claims.cpp
  void lower_claims();
  ir::Claim& open_claim(ir::Claim::Kind kind, const std::string& name, SourceRange range);
  void lower_formula(const LtlProperty& property);
  ir::LtlPtr formula(const Ltl& syntax, ir::Claim& claim);
  std::uint32_t atom(const Expr& syntax, ir::Claim& claim);
  std::uint32_t add_atom(ir::Claim& claim, const std::string& name, SourceRange range,
                         const std::function<const ir::Expr*()>& condition);
  void lower_never(const Process& process, bool accepting);
  void lower_label_claim(ir::Claim::Kind kind, const char* name);
  [[nodiscard]] bool has_labels(bool FlowLocation::*label) const;
  const ir::Expr* is_at_label(bool FlowLocation::*label, SourceRange range);
  std::uint32_t label_atom(ir::Claim& claim, const char* name, bool FlowLocation::*label);

  // lower_refusals.cpp: what the model uses, and whether all of it can be had.
  bool survey();
  void survey(const Variable& variable);
  void survey(const Process& process);
  void survey_expression(const Expr& expression);
  void survey_statement(const Stmt& statement);
  void refuse_in_claim(const Process& claim);
  void refuse_in_atom(const Expr& atom);
  void refuse_embedded(SourceRange range);

  // embedded_objects.cpp
  void declare_c_objects();
  void read_c_states();
  [[nodiscard]] bool measure_c_objects();
  const ir::Type* bytes_of(const EmbeddedC& syntax);
  const ir::Type* type_of(const CState& state);
  static ir::UserObject c_object(const CState& state, const std::string& owner, const ir::Type& type,
                                 std::uint32_t offset);
  void declare_c_global(const CState& state);
  void declare_tracked(const EmbeddedC& unit);
  void add_c_fields(Slot& slot, std::vector<ir::Field>& fields);

  // embedded_calls.cpp
  void call_c_code(const ir::Function& function, ir::Block& out);
  const ir::Expr* c_value(const Expr& syntax);
  const ir::Function& c_function(const CCode& code, bool is_value);
  const ir::Function& add_c_function(std::uint32_t block, SourceRange range, const std::string& condition);
  [[nodiscard]] ir::UserUse c_use(std::uint32_t block) const;
  const ir::Function& c_start();
  const CCode* c_first_values(const Process& process);

  // lower_types.cpp
  const ir::Type* type_of(const Variable& variable);
  const ir::Type* scalar_type(const Type& type);
  const ir::Type* record_type(const Typedef& syntax);
  const ir::Type* array_of(std::uint32_t length, const ir::Type* element, SourceRange range);

  // lower_channels.cpp: which channels there are.
  void declare_channels();
  void count_channels(const Slot* slot, const Variable& root, const Variable& part, const std::string& name);
  Shape& shape_of(const ChannelInit& syntax, bool alone);
  void allocate(Shape& shape);
  const ir::Type* channel_type(const Shape& shape);
  [[nodiscard]] bool is_fixed(const Variable& variable) const;
  [[nodiscard]] bool is_private(const Variable& variable) const;
  [[nodiscard]] const std::vector<Instance>& instances_of(const Variable& variable) const;
  // The channel an expression denotes.
  Channel channel(const Expr& syntax);
  const ir::Expr* fixed_channel(const Expr& syntax);
  using Fits = std::function<bool(std::size_t fields)>;
  [[nodiscard]] std::vector<const Shape*> candidates(const Channel& channel, const Fits& fits) const;
  [[nodiscard]] std::vector<const Shape*> candidates(const Channel& channel, std::size_t fields) const;
  const ir::Expr* is_of_shape(const Channel& channel, const Shape& shape);
  const ir::Expr* id_of(const Channel& channel, const Shape& shape);
  ir::Place channel_place(const Channel& channel, const Shape& shape);
  ir::Place length_of(const Channel& channel, const Shape& shape);
  ir::Place slot_of(const Channel& channel, const Shape& shape, const ir::Expr* position);
  const ir::Expr* by_shape(const Channel& channel, const std::vector<const Shape*>& shapes,
                           const ShapeCondition& condition);
  void by_shape(const Channel& channel, const std::vector<const Shape*>& shapes, const ShapeBody& body, ir::Block& out);
  const ir::Expr* bad_channel(const Channel& channel);
  void fill_input(ir::Block& out);

  // lower_places.cpp
  ir::Place at(const ir::Variable& variable) const;
  ir::Place at(const ir::Local& local) const;
  static ir::Place field(ir::Place place, std::uint32_t number);
  static ir::Place element(ir::Place place, const ir::Expr* index, ir::SiteId site);
  ir::Place place_of(const Expr& designator);
  ir::Place place_of(const Slot* slot, const Variable& variable);
  ir::Place place_of(const Scalar& scalar);
  [[nodiscard]] bool has_no_place(const Variable& variable) const;
  [[nodiscard]] bool is_dropped(const Expr& target) const;
  void look_up(const Expr& target, ir::Block& out);
  const ir::Expr* read(const ir::Place& place, SourceRange range);
  void assign(ir::Place to, const ir::Expr* value, ir::Block& out);
  void erase(const ir::Place& place, ir::Block& out);
  ir::Local& register_of(const std::string& name, const ir::Type* type);

  // lower_expressions.cpp
  const ir::Expr* value(const Expr& syntax);      // of either kind
  const ir::Expr* number(const Expr& syntax);     // a machine integer
  const ir::Expr* condition(const Expr& syntax);  // a boolean
  const ir::Expr* as_number(const ir::Expr* expr);
  const ir::Expr* as_condition(const ir::Expr* expr);
  const ir::Expr* constant(std::int64_t value, SourceRange range);
  const ir::Expr* truth(bool value, SourceRange range);
  const ir::Expr* unary(const Expr& syntax, ir::Expr::Kind kind);
  const ir::Expr* binary(const Expr& syntax);
  const ir::Expr* make(ir::Expr::Kind kind, const ir::Type* type, const ir::Expr* a, const ir::Expr* b);
  const ir::Expr* arithmetic(ir::Expr::Kind kind, const ir::Expr* a, const ir::Expr* b);
  const ir::Expr* compare(ir::Expr::Kind kind, const ir::Expr* a, const ir::Expr* b);
  // Null stands for "true" in these.
  const ir::Expr* both(const ir::Expr* a, const ir::Expr* b);
  const ir::Expr* either(const ir::Expr* a, const ir::Expr* b);
  const ir::Expr* negation(const ir::Expr* a, SourceRange range);
  const ir::Expr* choose(const ir::Expr* test, const ir::Expr* yes, const ir::Expr* no);
  const ir::Expr* cut(const ir::Expr* value, const Type& type);
  const ir::Expr* fault(ir::SiteId site);
  const ir::Expr* run_call(const Expr& syntax);
  const ir::Expr* probe(const Expr& syntax);
  const ir::Expr* remote(const Expr& syntax);
  const ir::Expr* remote_of(const Expr& syntax, const Slot& slot);
  const ir::Expr* is_at(const Slot& slot, std::uint32_t location, SourceRange range);
  const ir::Expr* is_present(const Slot& slot, SourceRange range);

  // lower_messages.cpp: when messages can pass, and what they carry.
  const ir::Expr* can_send(const Stmt& syntax);
  const ir::Expr* can_receive(const Stmt& syntax);
  const ir::Expr* poll(const Expr& syntax);
  const ir::Expr* has_message(const Channel& channel, const std::vector<const Shape*>& shapes,
                              const Arguments& arguments, bool random);
  const ir::Expr* matches(const Channel& channel, const Shape& shape, const Arguments& arguments,
                          const ir::Expr* position);
  const ir::Expr* in_rendezvous(const Channel& channel, std::size_t fields);
  [[nodiscard]] static bool is_match(const Expr& argument);
  [[nodiscard]] bool may_meet(const Stmt& syntax);
  [[nodiscard]] bool may_queue(const Stmt& syntax);
  void offer(const Stmt& syntax, ir::Edge& edge);
  void accept(const Stmt& syntax, ir::Edge& edge);

  // lower_queues.cpp: sends and receives of buffered channels.
  void send(const Stmt& syntax, ir::Block& out);
  void append(const Channel& channel, const Shape& shape, const Stmt& syntax, ir::Block& out);
  void insert(const Channel& channel, const Shape& shape, const Stmt& syntax, ir::Block& out);
  const ir::Expr* is_larger(const Channel& channel, const Shape& shape, const ir::Expr* position,
                            const std::vector<const ir::Local*>& message);
  void receive(const Stmt& syntax, ir::Block& out);
  [[nodiscard]] static bool may_change_its_channel(const Stmt& syntax);
  const ir::Expr* find_message(const Channel& channel, const Shape& shape, const Stmt& syntax, ir::Block& out);
  void remove_message(const Channel& channel, const Shape& shape, const ir::Expr* position, ir::Block& out);
  void store(const Expr& target, const ir::Expr* value, ir::Block& out);
  void change_length(const Channel& channel, const Shape& shape, std::int64_t by, ir::Block& out);
  void loop(const ir::Expr* from, const ir::Expr* to, std::int64_t step, const ir::Block& body, ir::Block& out,
            const ir::Local* counter);

  // lower_statements.cpp
  const ir::Expr* guard_of(const Stmt& syntax);
  void body_of(const Stmt& syntax, ir::Block& out);
  void assignment(const Stmt& syntax, ir::Block& out);
  void count_statement(const Stmt& syntax, ir::Block& out);
  void assertion(const Stmt& syntax, ir::Block& out);
  void evaluate(const ir::Expr* value, ir::Block& out);
  void check_process_count(const Stmt& syntax, ir::Block& out);

  // lower_edges.cpp
  void lower_edges(Slot& slot, ir::Component& component);
  void lower_edge(const FlowEdge& flow, ir::Component& component);
  void note_queue(const FlowEdge& flow, ir::Edge& edge);
  ir::Edge& open_edge(const FlowEdge& flow, ir::Component& component);
  void refuse_meeting(const Stmt& syntax, ir::Block& out);
  void close_edge(ir::Edge& edge, const FlowEdge& flow, const ir::Expr* guard);
  [[nodiscard]] bool is_inside_d_step(const FlowEdge& flow) const;
  const ir::Expr* otherwise(const FlowEdge& flow, ir::Edge& edge);
  const ir::Expr* not_an_earlier_one(const FlowEdge& flow);
  void end_edge(const FlowEdge& flow, ir::Component& component);
  void forget_dead_values(const FlowEdge& flow, ir::Edge& edge);

  // lower_outputs.cpp
  void note_output(const Stmt& syntax, const ir::Edge& edge);
  ir::Output::Argument printed(const Expr& syntax);

  // lower_question.cpp
  void refuse_in_question(const Expr& syntax);

  // lower_scheduling.cpp
  void refuse_with_rendezvous(SourceRange range, OriginId origin, const std::string& what);
  void declare_priority(Slot& slot, ir::Component& component);
  const ir::Expr* initial_priority(const Expr& run);
  const ir::Expr* own_priority(SourceRange range);
  const ir::Expr* about_process(const ir::Expr* pid, const ir::Expr* absent, const SlotValue& value);
  const ir::Expr* get_priority(const Expr& syntax);
  void set_priority(const ir::Expr* pid, const ir::Expr* priority, const Stmt& syntax, ir::Block& out);
  void remember_last(ir::Edge& edge);
  const ir::Expr* enabled(const Expr& syntax);
  const ir::Expr* pc_value(const Expr& syntax);
  const ir::Expr* call_of(const ir::Function& function, SourceRange range);
  const ir::Function& slot_function(const Slot& slot, SlotQuestion question);
  const ir::Expr* can_go_on(const Slot& slot);
  const ir::Expr* place_number(const Slot& slot);

  // lower_events.cpp: trace and notrace.
  void declare_events();
  void find_events(const FlowGraph& graph, std::uint32_t from, std::uint32_t at);
  const ir::Expr* event_place(std::uint32_t location, SourceRange range);
  const ir::Expr* is_at_event(std::uint32_t location, SourceRange range);
  void start_events(ir::Block& out);
  const ir::Expr* events_completed(SourceRange range);
  [[nodiscard]] bool may_be_event(const Stmt& syntax) const;
  std::vector<const ir::Expr*> keep(const std::vector<const ir::Expr*>& values, ir::Block& out);
  const ir::Expr* is_event(const EventEdge& edge, const Event& event);
  const ir::Expr* is_watched(const Event& event);
  void follow(const Event& event, ir::Block& out);
  void note(const ir::Expr* value, ir::FaultKind kind, SourceRange range, const std::string& text, ir::Block& out);

  // lower_processes.cpp
  void declare_slots();
  void declare_slot(Slot& slot);
  void declare_locals(Slot& slot);
  void initialise(const Slot* slot, const Variable& variable, ir::Block& out);
  void initialise_part(ir::Place place, const Variable& variable, std::size_t& next_channel,
                       const std::vector<Instance>& channels, ir::Block& out);
  void initialise_locals(const Slot& slot, ir::Block& out);
  const FlowGraph* graph_of(const Process& process);
  const ir::Function& run_function(const Process& process);
  void fill_run_function(const Process& process, ir::Function& function);
  ir::Branch creation(const Slot& slot, const ir::Function& function);
  void pass_arguments(const Slot& slot, const ir::Function& function, ir::Block& out);
  void scalar_places(const ir::Place& place, const Type& type, std::vector<ir::Place>& out);
  ir::Branch missing(const Process& process, std::uint32_t pid);
  const ir::Expr* start_of(const Slot& slot, SourceRange range);
  const ir::Expr* count_is(std::uint32_t pid, SourceRange range);
  [[nodiscard]] static std::string name_of(const Process& process, std::uint32_t pid);

  const ParsedModel& model_;
  const Plan& plan_;
  const LowerOptions& options_;
  const Sources& sources_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::unique_ptr<ir::Program> program_;
  ir::Builder build_;
  std::vector<Unplanned> unplanned_;
  ir::Outputs outputs_;
  bool failed_ = false;

  std::map<const Typedef*, const ir::Type*> records_;
  std::map<const MtypeSet*, const ir::Type*> mtypes_;
  std::map<const Variable*, const ir::Variable*> globals_;
  std::map<const Process*, std::unique_ptr<FlowGraph>> graphs_;
  std::map<const Process*, ir::Function*> run_functions_;
  std::map<std::string, std::uint32_t> claim_atoms_;  // of the claim that is being lowered, by their text
  std::deque<Slot> slots_;
  std::deque<Shape> shapes_;
  std::map<Owner, std::vector<Instance>> channels_;
  const ChannelUses uses_;
  const Visibility seen_;
  const ir::Variable* process_count_ = nullptr;
  bool has_c_code_ = false;
  std::vector<CState> c_states_;
  std::map<const EmbeddedC*, std::uint64_t> c_sizes_;  // in bytes
  std::map<std::pair<const CCode*, const Process*>, std::uint32_t> c_blocks_;
  std::map<std::pair<const CCode*, const Slot*>, const ir::Function*> c_functions_;
  std::map<const Process*, CCode> c_first_values_;
  bool has_priorities_ = false;
  bool mentions_last_ = false;
  const ir::Variable* last_ = nullptr;  // null: nobody asks
  std::map<std::pair<const Slot*, SlotQuestion>, ir::Function*> slot_functions_;
  const Process* events_ = nullptr;               // the trace or notrace, if there is one
  const ir::Variable* event_location_ = nullptr;  // where it is
  std::vector<EventEdge> event_edges_;
  std::set<std::uint32_t> complete_;  // its places at which it may end
  std::set<std::pair<std::uint32_t, std::uint32_t>> passed_;

  const Slot* slot_ = nullptr;                // whose code is being lowered
  ir::Routine* routine_ = nullptr;            // into which it goes
  ir::SiteId write_site_ = ir::SiteId::none;  // of its assignments, which cannot fail
};

}  // namespace fathom::promela
