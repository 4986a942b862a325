#include "cel/program.h"

#include "cel/evaluate.h"
#include "cel/program_parts.h"

namespace tabernetes::cel {

Program::Program(std::unique_ptr<ProgramParts> parts)
    : parts_(std::move(parts)), mentioned_(parts_->mentioned) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

const Type& Program::result_type() const { return *parts_->root->type; }

Outcome Program::evaluate(std::span<const Value> variables, json::Arena& arena,
                          std::uint64_t cost_limit) const {
  return cel::evaluate(*parts_->root, variables, arena, cost_limit);
}

Estimate Program::estimate_cost(const Type* root) const {
  return cel::estimate_cost(*parts_->root, root);
}

}  // namespace tabernetes::cel
