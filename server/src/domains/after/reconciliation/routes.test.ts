import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  createTestClock,
  kenyanPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const minuteMs = 60_000
const clock = createTestClock()
const since = new Date(Date.now() - 60 * minuteMs).toISOString()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
let secretKey: string
/** Each organisation has its own provider account, so that the list holds its own payments only. */
beforeEach(async () => {
  org = await openPayments(t)
  secretKey = `sk_test_${randomUUID()}`
  t.simulator.configure('paystack', { account: secretKey, secrets: { secret_key: secretKey } })
  await useAccount(secretKey)
})

const useAccount = (key: string): Promise<Json> =>
  org.ownAccount('paystack', { secretKey: key, baseUrl: `${t.simulator.url}/paystack` })
const useEmptyAccount = (): Promise<Json> => {
  t.simulator.configure('paystack', { account: 'sk_test_empty', secrets: { secret_key: 'sk_test_empty' } })
  return useAccount('sk_test_empty')
}
const run = (provider = 'paystack', as = org.credential): Promise<CallAnswer> =>
  t.call('POST', '/v1/payments/reconciliation', { as, body: { provider, since } })
/** Advances the clock first, because transactions younger than a few minutes are ignored. */
async function runLater(provider = 'paystack', as = org.credential): Promise<Json> {
  clock.pass(11 * minuteMs)
  const answer = await run(provider, as)
  clock.pass(-11 * minuteMs)
  expect(answer.status).toBe(200)
  return answer.body.data
}
const findings = async (): Promise<Json[]> => (await runLater()).findings
const referenceOf = async (id: string): Promise<string> => (await org.attempts(id))[0].data.reference
/** Creates a transaction at the provider without Switchyard. */
async function chargeElsewhere(key: string, reference: string = randomUUID()): Promise<string> {
  const answer = await request(`${t.simulator.url}/paystack/charge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'x@example.com',
      amount: 500,
      currency: 'NGN',
      reference,
      bank_transfer: {},
    }),
  })
  await answer.body.dump()
  expect(answer.statusCode).toBe(200)
  return reference
}

describe('200', () => {
  it('matching transactions are counted and raise nothing', async () => {
    await org.start(bankTransferPayin())
    await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    expect(await runLater()).toEqual({ provider: 'paystack', since, checked: 2, findings: [] })
    expect(await org.exceptions()).toEqual([])
  })

  it('missing_here: a provider’s transaction without a payment', async () => {
    const reference = await chargeElsewhere(secretKey)
    expect(await findings()).toMatchObject([{ kind: 'missing_here', reference, payment_id: null }])
    expect(await org.exceptions()).toMatchObject([
      { kind: 'missing_here', provider: 'paystack', status: 'open', suggested_action: expect.any(String) },
    ])
  })

  it('missing_there: a completed payment that the provider does not list', async () => {
    const id = await org.start(bankTransferPayin())
    await t.simulator.settle()
    await org.advance(id)
    const reference = await referenceOf(id)
    await useEmptyAccount()
    expect(await findings()).toMatchObject([{ kind: 'missing_there', reference, payment_id: id }])
  })

  it('amount differs', async () => {
    const id = await org.start(bankTransferPayin())
    await t.owner.query('update payments set amount_minor = amount_minor + 1 where payment_id = $1', [id])
    expect(await findings()).toMatchObject([
      {
        kind: 'amount_differs',
        payment_id: id,
        summary: 'The provider has 1500.75 NGN, we have 1500.76 NGN.',
      },
    ])
  })

  it('state_differs: the provider was paid, but its webhook was lost', async () => {
    const id = await org.start(bankTransferPayin())
    await t.simulator.settle()
    expect(await findings()).toMatchObject([{ kind: 'state_differs', payment_id: id }])
  })

  it('the payment, its ledger and its events are not changed', async () => {
    const id = await org.start(bankTransferPayin())
    await t.simulator.settle()
    const all = async (): Promise<Json> => [
      await org.record(id),
      await org.postings(id),
      await org.eventTypes(id),
    ]
    const before = await all()
    expect(before[0].status).toBe('pending')
    await findings()
    expect(await all()).toEqual(before)
    const kinds = (await org.timeline(id)).map(({ kind }) => kind)
    expect(kinds).toContain('exception')
  })

  it('a second run raises no duplicates; a closed finding is raised again', async () => {
    await chargeElsewhere(secretKey)
    expect(await findings()).toEqual(await findings())
    const [raised, ...more] = await org.exceptions()
    expect(more).toEqual([])
    await org.call('POST', `/v1/payments/exceptions/${raised.exception_id}/close`, { resolution: 'Not ours' })
    await findings()
    expect((await org.exceptions()).map(({ status }) => status)).toEqual(['open', 'closed'])
  })

  it('transactions only minutes old are ignored', async () => {
    await chargeElsewhere(secretKey)
    expect((await run()).body.data).toMatchObject({ checked: 0, findings: [] })
  })

  it('payments that ended only minutes ago are ignored, because the list may be older', async () => {
    const id = await org.start(bankTransferPayin())
    clock.pass(11 * minuteMs)
    await t.simulator.settle()
    await org.advance(id)
    await useEmptyAccount()
    expect((await run()).body.data).toMatchObject({ checked: 0, findings: [] })
    expect(await findings()).toMatchObject([{ kind: 'missing_there', payment_id: id }])
    clock.pass(-11 * minuteMs)
  })

  it('an abandoned attempt is no finding once another provider has completed the payment', async () => {
    t.simulator.setFaults('stripe', [{ on: 'collect', fault: 'decline' }])
    const secret_key = `sk_test_${org.orgId}`
    t.simulator.configure('stripe', { account: org.orgId, secrets: { secret_key } })
    await org.ownAccount('stripe', {
      secretKey: secret_key,
      webhookSecrets: ['whsec_own'],
      baseUrl: `${t.simulator.url}/stripe`,
    })
    const id = await org.start(cardPayin())
    expect((await org.attempts(id)).map(({ summary }) => summary.slice(-9))).toEqual([
      ': declined'.slice(-9),
      'succeeded',
    ])
    expect((await runLater('stripe')).findings).toEqual([])
  })
})

describe('200, at an account that organisations share', () => {
  const shared = 'sk_test_switchyard_sandbox'
  /** Two organisations that share the installation's account. */
  const openShared = (): Promise<OrgPayments[]> => Promise.all([openPayments(t), openPayments(t)])
  const runShared = async (as: string): Promise<Json[]> => (await runLater('paystack', as)).findings

  it('other organisations’ payments raise no findings here', async () => {
    const [one, other] = await openShared()
    await t.simulator.settle()
    t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop' }])
    const id = await other!.start(bankTransferPayin())
    await t.simulator.settle()
    expect(await runShared(one!.credential)).toEqual([])
    expect(await runShared(other!.credential)).toMatchObject([{ kind: 'state_differs', payment_id: id }])
  })

  it('transactions that match no payment are shown to the operator only', async () => {
    const [one] = await openShared()
    const reference = await chargeElsewhere(shared)
    expect(await runShared(one!.credential)).toEqual([])
    expect(await one!.exceptions()).toEqual([])
    const operator = t.seed.platformAdmin.api_key
    const found = await runShared(operator)
    expect(found.map((finding) => finding.reference)).toContain(reference)
    const seen = await t.call('GET', '/v1/payments/exceptions?kind=missing_here', { as: operator })
    expect(JSON.stringify(seen.body.data)).toContain(reference)
  })
})

describe('200, at an account of its own', () => {
  it('another organisation’s reference reveals nothing about its payment', async () => {
    const stranger = await openPayments(t)
    const id = await stranger.start(bankTransferPayin())
    const [attempt] = await stranger.attempts(id)
    const reference = await chargeElsewhere(secretKey, attempt!.data.reference)
    expect(await findings()).toMatchObject([{ kind: 'missing_here', reference, payment_id: null }])
    expect(await stranger.exceptions()).toEqual([])
    expect((await stranger.record(id)).status).toBe('pending')
  })
})

describe('200, whatever a provider calls its transactions', () => {
  const germany = { country: 'DE', currency: 'EUR', target_currency: 'EUR', amount: 25, target_amount: 25 }
  const completes = (id: string) =>
    vi.waitFor(async () => expect((await org.record(id)).status).toBe('completed'), defaultWaitMs)

  it('truelayer lists only its own ids, and only completed payments', async () => {
    await org.start(bankTransferPayin(germany))
    const { payment_id: id, redirect_url: url } = (await org.initiate(bankTransferPayin(germany))).body
      .response
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await (await request(url, { method: 'POST', headers, body: 'decision=pay' })).body.dump()
    await t.simulator.settle()
    await completes(id)
    expect(await runLater('truelayer')).toMatchObject({ checked: 1, findings: [] })
    await t.owner.query('update payments set amount_minor = amount_minor + 1 where payment_id = $1', [id])
    expect(await runLater('truelayer')).toMatchObject({
      findings: [{ kind: 'amount_differs', reference: null, payment_id: id }],
    })
    await t.owner.query('update attempts set provider_ref = null where payment_id = $1', [id])
    expect((await runLater('truelayer', t.seed.platformAdmin.api_key)).findings).toMatchObject([
      { kind: 'missing_here', payment_id: null },
    ])
    expect((await runLater('truelayer')).findings).toMatchObject([{ kind: 'missing_there', payment_id: id }])
  })

  it('adyen lists only transfers: a charged card does not count as missing', async () => {
    const id = await org.start(cardPayin(germany))
    await t.simulator.settle()
    await completes(id)
    expect(await org.record(id)).toMatchObject({ provider: 'adyen' })
    expect(await runLater('adyen')).toMatchObject({ checked: 0, findings: [] })
  })
})

describe('400', () => {
  it.each([{}, { provider: 'nobody', since }, { provider: 'paystack', since: 'yesterday' }])(
    '%j',
    async (body) => {
      expect((await org.call('POST', '/v1/payments/reconciliation', body)).status).toBe(400)
    },
  )
})

describe('403', () => {
  it('a viewer may not reconcile', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await run('paystack', viewer.token)).status).toBe(403)
  })
})

describe('409', () => {
  it('a provider that cannot list its transactions', async () => {
    await org.start(kenyanPayin())
    expect((await run('pawapay')).status).toBe(409)
  })

  it('keys that the provider does not know', async () => {
    await useAccount('sk_test_made_up')
    const answer = await run()
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'The provider gave no list of its transactions. Check the keys of the account, then try again.',
    ])
  })
})
