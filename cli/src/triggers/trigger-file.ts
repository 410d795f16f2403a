/** A step of a trigger: a call to the API, to the control of the simulator, or the wait for an event. */
export interface TriggerStep {
  /** An operation, such as `payments.initiate`. */
  readonly call?: string
  readonly path?: readonly string[]
  /** Method and path at the simulator, such as `PUT /pawapay/_faults`. */
  readonly simulator?: string
  readonly body?: unknown
  /** The name under which later steps find the answer, as in `${payment.payment_id}`. */
  readonly save?: string
  /** The type of an event, of the resource that `of` names. */
  readonly await?: string
  readonly of?: string
  /** What is told before the next step. */
  readonly say?: string
}

/** What makes an event happen in the simulator. */
export interface TriggerFile {
  readonly event: string
  readonly about: string
  readonly steps: readonly TriggerStep[]
  /** Steps that go first when they are asked for by name. */
  readonly with?: Readonly<Record<string, { readonly about: string; readonly steps: readonly TriggerStep[] }>>
}
