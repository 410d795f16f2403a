import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import { answerAgain, evidence, leaveInDoubt } from '../../../../test/worlds/test-doubts.ts'
import {
  bankTransferPayin,
  createTestClock,
  installationAccountId,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const hourMs = 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
afterAll(() => expectCleanAudit(t))

/** The employee opens organisations, and so has added the friend there. Who was added today is their own second login. */
let employee: string
let operators: Record<'other' | 'third' | 'leaving' | 'addedToday', Person>
let org: OrgPayments
beforeAll(async () => {
  const { api_key, org_id, user_id } = t.seed.platformAdmin
  employee = api_key
  const add = (): Promise<Person> => addPerson(t, org_id, 'platform-admin')
  operators = { other: await add(), third: await add(), leaving: await add(), addedToday: await add() }
  await t.owner.query(
    `update empowerments set created_at = created_at - interval '31 days' where empowered_by = $1 and user_id <> $2`,
    [user_id, operators.addedToday.userId],
  )
  org = await openPayments(t)
})

/** Signed when it is used, because the clock passes days. */
const tokenOf = (who: keyof typeof operators): Promise<string> =>
  t.identity.sign({ sub: operators[who].userId, org_id: t.seed.platformAdmin.org_id })

const manualPayin = (): Promise<string> => {
  const amounts = { amount: 5000, target_amount: 5000, currency: 'UGX', target_currency: 'UGX' }
  return org.start(bankTransferPayin({ country: 'UG', ...amounts }))
}
async function payinInDoubt(): Promise<string> {
  leaveInDoubt(t)
  const id = await org.start(bankTransferPayin({ amount: 150, target_amount: 150 }))
  answerAgain(t)
  clock.pass(25 * hourMs)
  return id
}
const resolve = (id: string, as = org.credential, change: Json = {}): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/resolve`, { as, body: { outcome: 'completed', evidence, ...change } })
const adjust = async (as = org.credential): Promise<CallAnswer> =>
  t.call('POST', '/v1/ledger/adjustments', {
    as,
    body: {
      debit: `provider:paystack:${await installationAccountId(t, 'paystack')}`,
      credit: 'available',
      currency: 'NGN',
      amount: 12.5,
      reason: 'The statement shows a payment that we did not book.',
    },
  })

const requestPath = (held: CallAnswer): string =>
  `/v1/organizations/${org.orgId}/change-requests/${held.body.data.request_id}`
const decide = (held: CallAnswer, as: string, verb = 'approve'): Promise<CallAnswer> =>
  t.call('POST', `${requestPath(held)}/${verb}`, { as, body: {} })
const statusOf = async (held: CallAnswer): Promise<string> =>
  (await org.call('GET', requestPath(held))).body.data.status
const isWaitingFor = async (held: CallAnswer, as: string): Promise<boolean> =>
  (await t.call('GET', '/v1/users/me/waiting', { as })).text.includes(held.body.data.request_id)

const proposals: readonly [string, () => Promise<CallAnswer>][] = [
  ['a manual payment', async () => resolve(await manualPayin())],
  ['a payment in doubt', async () => resolve(await payinInDoubt())],
  ['an adjustment', () => adjust()],
]

describe('an employee of the operator with a friend at a customer', () => {
  it.each(proposals)('creates no pooled money by %s that the friend proposes', async (_about, propose) => {
    const held = await propose()
    expect([held.status, held.body.data.approver]).toEqual([202, 'operator'])
    const first = await decide(held, employee)
    expect([first.status, first.body.message]).toEqual([
      200,
      'You have approved this change. It takes effect once another operator approves it too.',
    ])
    expect(first.body.data).toMatchObject({
      status: 'pending',
      reviewed_by: t.seed.platformAdmin.user_id,
      decided_by: null,
    })
    const again = await decide(held, employee)
    expect([again.status, again.body.message]).toEqual([
      403,
      'You have approved this change already. Another operator has to decide about it.',
    ])
    expect([await statusOf(held), await isWaitingFor(held, employee)]).toEqual(['pending', false])
    const other = await tokenOf('other')
    expect(await isWaitingFor(held, other)).toBe(true)
    expect((await decide(held, other)).body.data).toMatchObject({ status: 'approved' })
  })

  it('nor with another login that the employee has just added', async () => {
    const held = await adjust()
    expect((await decide(held, await tokenOf('addedToday'))).body.data.status).toBe('pending')
    const related = await decide(held, employee)
    expect([related.status, related.body.message]).toEqual([
      403,
      expect.stringContaining('do not count as a second person here'),
    ])
    expect((await decide(held, await tokenOf('third'))).body.data.status).toBe('approved')
  })
})

describe('two operators', () => {
  it('agree in either order, also if one of them has added the administrator who asks', async () => {
    const held = await adjust()
    expect((await decide(held, await tokenOf('other'))).body.data.status).toBe('pending')
    expect((await decide(held, employee)).body.data.status).toBe('approved')
  })

  it('are the one who proposes and the one who approves', async () => {
    const id = await payinInDoubt()
    const held = await resolve(id, employee, { org_id: org.orgId })
    expect((await decide(held, await tokenOf('other'))).body.data.status).toBe('approved')
    expect((await org.record(id)).status).toBe('completed')
  })

  it('who approve at the same moment both count, or one of them has to try again', async () => {
    const held = await adjust()
    const answers = await Promise.all([employee, await tokenOf('other')].map((as) => decide(held, as)))
    expect(answers.map(({ status }) => status)).toContain(200)
    const now = await statusOf(held)
    const isDone = answers.every(({ status }) => status === 200)
    expect(now).toBe(isDone ? 'approved' : 'pending')
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
  })

  it('each of them rejects alone', async () => {
    const held = await adjust()
    expect((await decide(held, employee)).body.data.status).toBe('pending')
    expect((await decide(held, await tokenOf('other'), 'reject')).body.data.status).toBe('rejected')
  })

  it('the approval of somebody who has left since does not count', async () => {
    const held = await adjust()
    expect((await decide(held, await tokenOf('leaving'))).body.data.status).toBe('pending')
    await t.owner.query('delete from members where user_id = $1', [operators.leaving.userId])
    expect((await decide(held, employee)).body.data.status).toBe('pending')
    expect((await decide(held, await tokenOf('other'))).body.data.status).toBe('approved')
  })
})
