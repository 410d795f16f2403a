/** Something that can be killed, paused and started again on the same address. */
export type Part = {
  kill(): Promise<void>
  pause(): void
  resume(): void
  start(): Promise<void>
  /** Kills it at the named crash point; false when the point was not reached in time and it was killed anyway. */
  killAt?(point: string): Promise<boolean>
  stop(): Promise<void>
}

export type PartName =
  | 'api-0'
  | 'api-1'
  | 'worker-0'
  | 'worker-1'
  | 'engine-0'
  | 'engine-1'
  | 'engine-2'
  | 'postgres'

/** Connections that can be cut: of providers to our api, of the engine to the workers, of both programs to the others. */
export const linkNames = ['webhooks', 'workers', 'engine', 'database'] as const
export type LinkName = (typeof linkNames)[number]

export type Link = { interrupt(ms: number): Promise<void> }

export type ProviderFault = { on: string; fault: string; times: number; ms?: number; reason?: string }

export type Move =
  | { kind: 'kill'; part: PartName }
  | { kind: 'point'; part: PartName; point: string }
  | { kind: 'pause'; part: PartName; ms: number }
  | { kind: 'provider'; provider: string; faults: ProviderFault[] }
  | { kind: 'network'; link: LinkName; ms: number }

/** A move begins once this many payments have begun; the next one waits at least for the gap. */
export type Step = { afterPayments: number; gapMs: number; move: Move }
