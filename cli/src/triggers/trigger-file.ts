/** A step of a trigger: a call to the API, a call to the simulator's control API, or a wait for an event. */
export interface TriggerStep {
  /** An operation, such as `payments.initiate`. */
  readonly call?: string
  readonly path?: readonly string[]
  /** Method and path at the simulator, such as `PUT /pawapay/_faults`. */
  readonly simulator?: string
  readonly body?: unknown
  /** The name under which later steps find the response, as in `${payment.payment_id}`. */
  readonly save?: string
  /** The type of the event to wait for, about the resource in `of`. */
  readonly await?: string
  readonly of?: string
  /** The message to print before the next step. */
  readonly message?: string
}

/** The steps that make an event happen in the simulator. */
export interface TriggerFile {
  readonly event: string
  readonly about: string
  readonly steps: readonly TriggerStep[]
  /** Variations: steps that run first if requested by name. */
  readonly with?: Readonly<Record<string, { readonly about: string; readonly steps: readonly TriggerStep[] }>>
}
