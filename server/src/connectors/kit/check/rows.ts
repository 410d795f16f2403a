import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { Attempt, Capability, Connector, ConnectorDefinition } from '../connector.ts'
import type { GuardedHttp } from './sandbox-only.ts'

export interface CheckRow {
  what: string
  verdict: 'ok' | 'failed' | 'absent' | 'skipped'
  detail: string
  /** The provider was called. */
  isAsked: boolean
}

export type Finding = Pick<CheckRow, 'verdict' | 'detail'>

export interface Checking {
  connector: Connector
  guard: GuardedHttp
  definition: ConnectorDefinition
  clock: Clock
}

export const absentRow = (what: string): CheckRow => ({
  what,
  verdict: 'absent',
  detail: 'it has none',
  isAsked: false,
})

/** Turns an error into a row, so that the remaining checks run. */
export async function row(
  { calls }: GuardedHttp,
  what: string,
  check: () => Promise<Finding>,
): Promise<CheckRow> {
  const before = calls()
  try {
    const finding = await check()
    return { what, ...finding, isAsked: calls() > before }
  } catch (error) {
    const detail = error instanceof Error && error.name !== 'ZodError' ? error.message : 'cannot be read'
    return { what, verdict: 'failed', detail, isAsked: calls() > before }
  }
}

/** An attempt that was never sent. */
export function unknownAttempt(capability: Capability, unknownId?: string): Attempt {
  const { direction, method, countries, currencies, lookUp } = capability
  const isById = lookUp === 'provider_id' || lookUp === 'none'
  return {
    reference: randomUUID(),
    providerRef: isById ? (unknownId ?? randomUUID()) : null,
    direction,
    method,
    country: countries[0] ?? '',
    amount: { amountMinor: 100n, currency: currencies[0] ?? '' },
    createdAt: new Date(),
  }
}
