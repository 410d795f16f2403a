import { describe, expect, it } from 'vitest'
import type { Fact } from '../rules.ts'
import { decideRefund } from './rules.ts'
import type { RefundState } from './record.ts'

const failure = { code: 'NOT_REFUNDABLE', message: 'no' }
type ProviderState = Extract<Fact, { kind: 'accepted' }>['state']
const said = (state: ProviderState): Fact => ({
  kind: 'accepted',
  providerRef: null,
  providerStatus: 'x',
  state,
})
const facts: Record<string, Fact> = {
  pending: said({ state: 'pending' }),
  processing: said({ state: 'processing' }),
  completed: said({ state: 'completed' }),
  canceled: said({ state: 'canceled' }),
  failed: said({ state: 'failed', failure }),
  declined: { kind: 'declined', failure, fallback: true },
  not_sent: { kind: 'not_sent', reason: 'x' },
  unknown: { kind: 'unknown', reason: 'x' },
}
const stateAfter = (state: RefundState): Record<string, RefundState> =>
  Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, decideRefund(state, fact).state]))

describe('decideRefund, over every combination', () => {
  const fromOpen = {
    pending: 'accepted',
    processing: 'accepted',
    completed: 'completed',
    canceled: 'failed',
    failed: 'failed',
    declined: 'failed',
    not_sent: 'failed',
  } as const

  it.each(['sending', 'unknown'] as const)('from %s', (state) => {
    expect(stateAfter(state)).toEqual({ ...fromOpen, unknown: 'unknown' })
  })

  it('from accepted; neither unknown nor "never received" takes the acceptance back', () => {
    expect(stateAfter('accepted')).toEqual({ ...fromOpen, unknown: 'accepted', not_sent: 'accepted' })
  })

  it.each(['completed', 'failed'] as const)('%s does not change', (state) => {
    expect(new Set(Object.values(stateAfter(state)))).toEqual(new Set([state]))
  })

  it('unknown never becomes failed', () => {
    const open: RefundState[] = ['sending', 'unknown', 'accepted']
    for (const state of open) expect(decideRefund(state, facts['unknown']!).failure).toBeUndefined()
  })

  it('a failure is given exactly when the refund fails by it', () => {
    const states: RefundState[] = ['sending', 'unknown', 'accepted', 'completed', 'failed']
    for (const state of states)
      for (const fact of Object.values(facts)) {
        const decision = decideRefund(state, fact)
        expect(decision.failure !== undefined).toBe(decision.state === 'failed' && state !== 'failed')
      }
  })

  it('a provider that contradicts the outcome of an ended refund raises an exception and changes nothing', () => {
    const contradictions = (['sending', 'unknown', 'accepted', 'completed', 'failed'] as const).flatMap(
      (state) =>
        Object.entries(facts).flatMap(([name, fact]) => {
          const { exception } = decideRefund(state, fact)
          return exception === undefined ? [] : [`${state}, then ${name}: ${exception}`]
        }),
    )
    expect(contradictions).toEqual([
      'completed, then failed: refund_reversed',
      'failed, then completed: refund_after_failure',
    ])
  })
})
