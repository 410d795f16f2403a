import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import { failing, interceptWrites } from '../../../../test/sql/intercept-writes.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { openAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { cardForm, newPayer, openLinks } from '../../../../test/worlds/test-links.ts'
import {
  cardPayin,
  ghanaianPayin,
  kenyanPayin,
  openPayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { onRampBody, openRamps, useRamps } from '../../../../test/worlds/test-ramps.ts'

const t = useRamps()
let org: OrgPayments
let restore = (): void => undefined
beforeEach(async () => {
  org = await openPayments(t)
})
afterEach(() => {
  restore()
  for (const provider of ['pawapay', 'paystack', 'stripe']) t.simulator.setFaults(provider, [])
})

const initiate = '/v1/payments-init/initiate'
const decline = { on: 'collect', fault: 'decline' } as const
const post = (path: string, body: Json, key: string, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', path, { as, body, headers: { 'idempotency-key': key } })
const isReplay = (answer: CallAnswer): boolean => answer.headers['idempotent-replayed'] === 'true'
const responseOf = ({ status, body }: CallAnswer): unknown[] => [
  status,
  body.response?.status,
  body.response?.next_action,
]
const inDoubt = [200, 'processing', 'check_status']
const sent = (): number => t.simulator.log().length
const payments = async (): Promise<number> =>
  (await t.owner.query('select from payments where org_id = $1', [org.orgId])).rowCount ?? 0
const failLaterWrites = (): void => {
  restore = interceptWrites(t.deps, { later: failing })
}

describe('the outcome cannot be written', () => {
  it('a decline leads to no second send, and is not reported as a failure of all providers', async () => {
    t.simulator.setFaults('pawapay', [decline])
    await org.networks({ country: 'KE' })
    const before = sent()
    failLaterWrites()
    const answer = await post(initiate, kenyanPayin(), 'decline')
    expect(responseOf(answer)).toEqual(inDoubt)
    expect(sent()).toBe(before)
    restore()
    const { payment_id: id } = answer.body.response
    expect((await org.attempts(id)).map(({ summary }) => summary)).toEqual(['attempt 1 at pawapay: sending'])
  })

  it('the last provider’s decline is 200 too, because nobody has recorded it', async () => {
    t.simulator.setFaults('stripe', [decline])
    failLaterWrites()
    expect(responseOf(await post(initiate, cardPayin(), 'last'))).toEqual(inDoubt)
  })

  it('a ramp: 200 with its id, and the repeat hears the same ramp', async () => {
    const ramps = await openRamps(t)
    await ramps.configure('hybrid', 'UG')
    const wallet_address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const body = onRampBody({ wallet_address, client_rate: await ramps.rate('UGX', 'USDC') })
    const before = sent()
    failLaterWrites()
    const first = await post('/v1/payments-init/ramp', body, 'ramp', ramps.credential)
    restore()
    const second = await post('/v1/payments-init/ramp', body, 'ramp', ramps.credential)
    expect([responseOf(first), responseOf(second)]).toEqual([inDoubt, inDoubt])
    expect(second.body.response.payment_id).toBe(first.body.response.payment_id)
    expect([isReplay(first), isReplay(second), sent()]).toEqual([false, true, before + 1])
  })

  it('a withdrawal: 201 with its id, and the repeat hears the same withdrawal', async () => {
    const accounts = await openAccounts(t)
    const { account_id: accountId } = await accounts.funded(100_000)
    const path = `/v1/virtual-accounts/${accountId}/withdraw`
    const body = { beneficiary_id: accounts.beneficiaryId, amount: 300 }
    const before = sent()
    const { db } = t.deps
    restore = interceptWrites(t.deps, {
      later: () => {
        // From now on not even the withdrawal can be read back.
        t.deps.db.inOrg = () => Promise.reject(unavailable('The database is busy. Try again shortly.'))
        return failing(() => Promise.resolve([]))
      },
    })
    const first = await post(path, body, 'withdrawal', accounts.credential)
    restore()
    expect(t.deps.db).toBe(db)
    const second = await post(path, body, 'withdrawal', accounts.credential)
    expect([first.status, first.body.data.status, isReplay(first)]).toEqual([201, 'pending', false])
    expect([second.status, isReplay(second)]).toEqual([201, true])
    expect(second.body.data).toEqual(first.body.data)
    expect(sent()).toBe(before + 1)
    expect((await accounts.account(accountId)).held_balance).toBe(300)
  })

  it('a one-time password that the provider has taken: 200, and the caller polls', async () => {
    const id = await org.start(ghanaianPayin({ amount: 10.15, target_amount: 10.15 }))
    failLaterWrites()
    const path = `/v1/payments-init/${id}/action`
    const answer = await t.call('POST', path, {
      as: org.credential,
      body: { action: 'submit_otp', otp: '123456' },
      unaudited: true, // the audit row is part of the transaction that fails
    })
    expect(responseOf(answer)).toEqual(inDoubt)
    expect(answer.body.response.payment_id).toBe(id)
  })

  it('a payment page: the payer sees that the payment is under way', async () => {
    const links = await openLinks(t)
    const payer = newPayer(await links.make())
    await payer.get()
    failLaterWrites()
    const answer = await payer.send(cardForm())
    restore()
    expect(answer.status).toBe(303)
    expect((await payer.get()).text).not.toContain('card_number')
  })

  it('a refund: the caller hears its id, and it is processing', async () => {
    const id = await org.start(cardPayin())
    await t.simulator.settle()
    let writes = 0
    restore = interceptWrites(t.deps, {
      later: (commit) => ((writes += 1), writes === 1 ? commit() : failing(commit)),
    })
    const answer = await post(`/v1/payments/${id}/refund`, { reason: 'returned' }, 'refund')
    expect([answer.status, answer.body.data?.status, answer.body.data?.payment_id]).toEqual([
      201,
      'processing',
      id,
    ])
  })
})

describe('the answer to the first transaction is lost', () => {
  const lost = () => unavailable('The database is not reachable.', new Error('Connection terminated'))

  it.each([
    ['after the commit', true],
    ['before the commit', false],
  ])('%s: the payment is begun once and sent once', async (_when, isCommitted) => {
    const before = sent()
    let writes = 0
    restore = interceptWrites(t.deps, {
      async first(commit) {
        writes += 1
        if (writes > 1) return commit()
        if (isCommitted) await commit()
        throw lost()
      },
    })
    const answer = await post(initiate, cardPayin(), `lost-${isCommitted}`)
    expect([answer.status, writes]).toEqual([200, 2])
    expect([await payments(), sent()]).toEqual([1, before + 1])
  })

  it('and the database does not come back: 503 with the payment id, and nothing is sent', async () => {
    const before = sent()
    let writes = 0
    restore = interceptWrites(t.deps, {
      async first(commit) {
        writes += 1
        if (writes === 1) await commit()
        throw lost()
      },
    })
    const answer = await post(initiate, cardPayin(), 'gone')
    restore()
    expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const { payment_id: id } = answer.body
    expect((await org.record(id)).status).toBe('confirmed')
    const repeat = await post(initiate, cardPayin(), 'gone')
    expect([repeat.status, repeat.body.response.payment_id, sent()]).toEqual([200, id, before])
  })

  it('a transaction that was rolled back is not repeated: 503, and nothing was begun', async () => {
    let writes = 0
    restore = interceptWrites(t.deps, {
      first: () => ((writes += 1), Promise.reject(unavailable('The database is busy.'))),
    })
    const answer = await post(initiate, cardPayin(), 'busy')
    restore()
    expect([answer.status, answer.body.payment_id, writes]).toEqual([503, undefined, 1])
    expect(await payments()).toBe(0)
    const repeat = await post(initiate, cardPayin(), 'busy')
    expect([repeat.status, isReplay(repeat)]).toEqual([200, false])
  })
})

describe('an Idempotency-Key', () => {
  it('sent many times at once begins one payment, of which all of them hear', async () => {
    const before = sent()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(initiate, cardPayin(), 'at-once')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.response.payment_id)).size).toBe(1)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect([await payments(), sent()]).toEqual([1, before + 1])
  })

  it('is not used up by a request that begins nothing', async () => {
    const refused = await post(initiate, cardPayin({ country: 'JP' }), 'refused')
    expect(refused.status).toBe(422)
    expect((await post(initiate, cardPayin({ country: 'JP' }), 'refused')).status).toBe(422)
    expect((await post(initiate, cardPayin(), 'refused')).status).toBe(200)
  })

  it('of a payment with another body gets 409, also while the first call has no response', async () => {
    failLaterWrites()
    await post(initiate, cardPayin(), 'other-body')
    restore()
    const other = await post(initiate, cardPayin({ amount: 26, target_amount: 26 }), 'other-body')
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(await payments()).toBe(1)
  })

  it('belongs to a member: another member begins a payment of their own under it', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const [first, second] = [
      await post(initiate, cardPayin(), 'shared'),
      await post(initiate, cardPayin(), 'shared', other.token),
    ]
    expect([second.status, isReplay(second)]).toEqual([200, false])
    expect(second.body.response.payment_id).not.toBe(first.body.response.payment_id)
  })

  it('of a payment that every provider refused: the repeat hears the same refusal', async () => {
    t.simulator.setFaults('stripe', [decline])
    const first = await post(initiate, cardPayin(), 'failed')
    const before = sent()
    const second = await post(initiate, cardPayin(), 'failed')
    expect(first.status).toBe(502)
    const { request_id: _own, ...refusal } = first.body
    expect([second.status, second.headers['idempotent-replayed'], sent()]).toEqual([502, 'true', before])
    expect(second.body).toMatchObject(refusal)
  })
})

describe('502 ALL_PROVIDERS_FAILED', () => {
  it('names the payment and the last definite refusal', async () => {
    t.simulator.setFaults('stripe', [decline])
    const { status, body } = await post(initiate, cardPayin(), 'refusal')
    expect(status).toBe(502)
    const record = await org.record(body.payment_id)
    expect(record.status).toBe('failed')
    const [attempt] = await org.attempts(body.payment_id)
    expect(body.failure).toEqual({ code: attempt.data.code, message: attempt.data.message })
    expect(attempt.data.code).toBe('PROVIDER_UNAVAILABLE')
    expect(record.failure).toEqual(body.failure)
  })
})
