import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { DECLINE_REASONS, type DeclineReason } from '../sentinels.ts'
import { CALL_FAULTS, WEBHOOK_FAULTS, type FaultName } from './fault-names.ts'

/** The operation of a call, named as in Switchyard's connectors. Every route has exactly one. */
const OPERATIONS = [
  'collect',
  'payout',
  'refund',
  'inquire',
  'act',
  'cancel',
  'prepare',
  'list',
  'quote',
  'account',
  'dispute',
  'page',
] as const
export type Operation = (typeof OPERATIONS)[number]

const faultSchema = z.strictObject({
  on: z.enum([...OPERATIONS, 'webhook', 'any']),
  fault: z.enum(['latency', ...CALL_FAULTS, ...WEBHOOK_FAULTS]),
  times: z.int().min(1).max(LIMITS.faultTimes).default(1),
  ms: z.int().min(0).max(LIMITS.faultMs).default(1_000),
  reference: z.string().optional(),
  reason: z.enum(DECLINE_REASONS).default('temporarily_unavailable'),
})

export const faultsSchema = z.strictObject({ faults: z.array(faultSchema).max(LIMITS.faultsPerProvider) })

export type FaultInput = z.input<typeof faultSchema>
type Fault = Readonly<z.infer<typeof faultSchema>>

interface FaultQuery {
  readonly on: Operation | 'webhook'
  /** Undefined before the call is parsed; until then, a fault with a reference never matches. */
  readonly reference: string | undefined
}

export interface TakenFault<Name extends FaultName = FaultName> {
  readonly fault: Name
  readonly ms: number
  readonly reason: DeclineReason
}

export interface FaultBook {
  readonly replace: (faults: readonly FaultInput[]) => readonly Fault[]
  readonly list: () => readonly Fault[]
  /** Returns the first matching fault with one of these names, without counting it. */
  readonly peek: <Name extends FaultName>(
    names: readonly Name[],
    query: FaultQuery,
  ) => TakenFault<Name> | undefined
  /** Does the same and decrements its `times`. */
  readonly take: <Name extends FaultName>(
    names: readonly Name[],
    query: FaultQuery,
  ) => TakenFault<Name> | undefined
}

export function createFaultBook(): FaultBook {
  let faults: Fault[] = []

  function match<Name extends FaultName>(names: readonly Name[], query: FaultQuery) {
    for (const [index, fault] of faults.entries()) {
      const name = names.find((candidate) => candidate === fault.fault)
      if (name !== undefined && matches(fault, query)) return { index, fault, name }
    }
    return undefined
  }

  return {
    replace: (input) => {
      faults = faultsSchema.parse({ faults: input }).faults
      return faults
    },
    list: () => faults,
    peek: (names, query) => {
      const found = match(names, query)
      return found && { fault: found.name, ms: found.fault.ms, reason: found.fault.reason }
    },
    take: (names, query) => {
      const found = match(names, query)
      if (found === undefined) return undefined
      const { index, fault, name } = found
      faults = faults.with(index, { ...fault, times: fault.times - 1 }).filter((left) => left.times > 0)
      return { fault: name, ms: fault.ms, reason: fault.reason }
    },
  }
}

function matches(fault: Fault, query: FaultQuery): boolean {
  if (fault.on !== 'any' && fault.on !== query.on) return false
  return fault.reference === undefined || fault.reference === query.reference
}
