import { beforeEach, describe, expect, it } from 'vitest'
import type { DisputeAction } from '@switchyard/simulator/core/dispute.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import {
  brokenPromises,
  completeEvidence,
  disputable,
  disputesOf,
  ledgerOf,
  onlyDispute,
  paid,
  type DisputableProvider,
} from './testing/disputed-payments.ts'

/** Every path of a dispute by each provider's own messages, and the ledger after it. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const providers = Object.keys(disputable) as DisputableProvider[]
const amounts = { stripe: '2500 GBP', adyen: '2500 EUR', paystack: '150075 NGN', flutterwave: '5000 RWF' }

async function play(provider: DisputableProvider, ...actions: DisputeAction[]) {
  const payment = await paid(t, org, disputable[provider])
  const [first = 'open', ...rest] = actions
  const { id } = await t.simulator.dispute(provider, {
    reference: payment.reference,
    action: first === 'warn' ? 'warn' : 'open',
  })
  const states = [(await onlyDispute(org)).state]
  for (const action of rest) {
    await t.simulator.dispute(provider, { id, action })
    states.push((await disputesOf(org)).at(-1).state)
  }
  return { payment, id, states }
}

const withdrawn = (provider: DisputableProvider, round = 1) =>
  `dispute.withdrawn.${round} available>provider:${provider} ${amounts[provider]}`
const returned = (provider: DisputableProvider, round = 1) =>
  `dispute.returned.${round} provider:${provider}>available ${amounts[provider]}`
/** Stripe alone reports what it charges for a dispute. */
const cost = (provider: DisputableProvider) =>
  provider === 'stripe' ? ['dispute.cost.1 available>provider:stripe 1500 GBP'] : []
const withdrawsAtOnce = (provider: DisputableProvider) => provider === 'stripe' || provider === 'adyen'
/** Adyen withdraws by a message of its own. */
const opening = (provider: DisputableProvider): DisputeAction[] =>
  provider === 'adyen' ? ['open', 'withdraw'] : ['open']

describe.each(providers)('%s', (provider) => {
  it('lost: the money is withdrawn once', async () => {
    const { states, payment } = await play(provider, ...opening(provider), 'lose')
    expect(states.at(0)).toBe('needs_response')
    expect(states.at(-1)).toBe('lost')
    const { dispute_id, withdrawn_amount, closed_at } = await onlyDispute(org)
    expect(await ledgerOf(org, dispute_id)).toEqual([...cost(provider), withdrawn(provider)])
    expect(closed_at).not.toBeNull()
    expect(withdrawn_amount).toBeGreaterThan(0)
    expect((await org.record(payment.id)).status).toBe('completed')
    const types = await org.eventTypes(dispute_id)
    expect([types.at(0), types.at(-1)]).toEqual(['dispute.opened', 'dispute.closed'])
    const timeline = await org.timeline(payment.id)
    expect(timeline.filter(({ kind }) => kind === 'dispute')).toHaveLength(1)
    expect(timeline.map(({ summary }) => summary).join()).toContain('dispute.withdrawn.1')
  })

  it('won: the money is where it was', async () => {
    const { states } = await play(provider, ...opening(provider), 'win')
    expect(states.at(-1)).toBe('won')
    const { dispute_id, withdrawn_amount } = await onlyDispute(org)
    const moves = withdrawsAtOnce(provider)
      ? [...cost(provider), returned(provider), withdrawn(provider)]
      : []
    expect(await ledgerOf(org, dispute_id)).toEqual(moves)
    expect(withdrawn_amount).toBe(0)
  })

  it('won, then a second chargeback: the money is out again', async () => {
    await play(provider, ...opening(provider), 'win', 'second')
    const found = await disputesOf(org)
    const second = found[0]
    if (provider === 'adyen') {
      expect(found).toMatchObject([{ state: 'lost', withdrawn_amount: 25 }])
      expect(await ledgerOf(org, second.dispute_id)).toEqual([
        returned(provider),
        withdrawn(provider),
        withdrawn(provider, 2),
      ])
      return
    }
    if (provider === 'flutterwave') {
      expect(found).toMatchObject([{ state: 'lost' }])
      expect(await ledgerOf(org, second.dispute_id)).toEqual([withdrawn(provider)])
      return
    }
    // Stripe and Paystack open a second dispute of the same payment.
    expect(found).toMatchObject([{ state: 'needs_response' }, { state: 'won' }])
    await t.simulator.dispute(provider, { id: second.provider_dispute_id, action: 'lose' })
    expect(await disputesOf(org)).toMatchObject([{ state: 'lost' }, { state: 'won' }])
    expect(await ledgerOf(org, second.dispute_id)).toEqual([...cost(provider), withdrawn(provider)])
  })

  it('accepted: the provider is told, and the money is withdrawn', async () => {
    await play(provider, 'open')
    const { dispute_id } = await onlyDispute(org)
    const answer = await org.call('POST', `/v1/disputes/${dispute_id}/accept`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ state: 'accepted', pending_action: null })
    expect(await onlyDispute(org)).toMatchObject({ state: 'accepted' })
    expect(await ledgerOf(org, dispute_id)).toEqual([...cost(provider), withdrawn(provider)])
    expect((await org.call('POST', `/v1/disputes/${dispute_id}/accept`)).status).toBe(409)
  })

  it('evidence is submitted, reviewed and won', async () => {
    const { id } = await play(provider, ...opening(provider))
    const { dispute_id } = await onlyDispute(org)
    expect((await org.call('POST', `/v1/disputes/${dispute_id}/submit`)).status).toBe(409)
    const added = await org.call('POST', `/v1/disputes/${dispute_id}/evidence`, completeEvidence)
    expect(added.status).toBe(201)
    const submitted = await org.call('POST', `/v1/disputes/${dispute_id}/submit`)
    expect(submitted.body.data).toMatchObject({ state: 'under_review', pending_action: null })
    expect(submitted.body.data.submitted_at).not.toBeNull()
    const [sent] = t.simulator.disputes(provider).filter((one) => one.id === id)
    expect(sent).toMatchObject({ isSubmitted: true })
    expect(sent?.evidence.length).toBeGreaterThan(0)
    expect((await org.call('POST', `/v1/disputes/${dispute_id}/submit`)).status).toBe(409)
    await t.simulator.dispute(provider, { id, action: 'win' })
    expect(await onlyDispute(org)).toMatchObject({ state: 'won', withdrawn_amount: 0 })
  })

  it('messages in the reverse order end in the same state and ledger', async () => {
    const payment = await paid(t, org, disputable[provider])
    const { id } = await t.simulator.dispute(provider, { reference: payment.reference, reverse: true })
    if (provider === 'adyen') await t.simulator.dispute(provider, { id, action: 'withdraw', deliver: false })
    await t.simulator.dispute(provider, { id, action: 'win', reverse: true })
    const { dispute_id, state, withdrawn_amount } = await onlyDispute(org)
    expect([state, withdrawn_amount]).toEqual(['won', 0])
    const moves = withdrawsAtOnce(provider)
      ? [...cost(provider), returned(provider), withdrawn(provider)]
      : []
    expect(await ledgerOf(org, dispute_id)).toEqual(moves)
  })

  it('a repeated message changes nothing', async () => {
    const payment = await paid(t, org, disputable[provider])
    const { id } = await t.simulator.dispute(provider, { reference: payment.reference, duplicate: true })
    const before = await onlyDispute(org)
    const events = await org.eventTypes(before.dispute_id)
    await t.simulator.dispute(provider, { id, action: 'lose', duplicate: true })
    const { dispute_id } = await onlyDispute(org)
    expect(await ledgerOf(org, dispute_id)).toEqual([...cost(provider), withdrawn(provider)])
    expect(events.filter((type) => type === 'dispute.opened')).toHaveLength(1)
    expect((await org.eventTypes(dispute_id)).filter((type) => type === 'dispute.closed')).toHaveLength(1)
  })

  it('a forged message opens nothing', async () => {
    const payment = await paid(t, org, disputable[provider])
    await t.simulator.dispute(provider, { reference: payment.reference, forge: true })
    expect(await disputesOf(org)).toEqual([])
    const sent = t.simulator.webhooks(provider).filter(({ forged }) => forged)
    expect(sent.at(-1)?.attempts.at(0)?.status).toBe(401)
  })
})

describe('a warning', () => {
  it.each(['stripe', 'adyen'] as const)(
    '%s: no money moves unless it becomes a chargeback',
    async (provider) => {
      const { id, states } = await play(provider, 'warn', 'review')
      expect(states).toEqual(['warning', 'under_review'])
      const { dispute_id } = await onlyDispute(org)
      await t.simulator.dispute(provider, { id, action: 'win' })
      expect(await onlyDispute(org)).toMatchObject({ state: 'won', movements: [] })
      expect(await ledgerOf(org, dispute_id)).toEqual([])
    },
  )

  it.each(['stripe', 'adyen'] as const)('%s: it may become a chargeback', async (provider) => {
    await play(provider, 'warn', 'withdraw')
    const { dispute_id, state } = await onlyDispute(org)
    expect(state).toBe('needs_response')
    expect(await ledgerOf(org, dispute_id)).toEqual([...cost(provider), withdrawn(provider)])
  })
})

describe('afterwards', () => {
  it('the audit finds nothing', async () => {
    expect(await brokenPromises(t)).toEqual([])
  })
})
