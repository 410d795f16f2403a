import type { Scenario } from './scenarios.ts'

/** A call in the model. It yields wherever another call may run in between, and returns its answer. */
export type Call = Generator<undefined, string, undefined>
export type CallContext = { scenario: Scenario; nowMs: number }
