import { storeSimulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import { request } from 'undici'
import { beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../connectors/kit/http-client.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  ghanaianPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
  operatorOf,
  storeInstallationKeys,
} from '../../../../test/worlds/test-payments.ts'
import type { PaymentDeps } from '../record.ts'
import { submitAction } from './submit-action.ts'

const rightOtp = '123456'
const sendCall = createHttpClient()
/** How many passwords have reached the provider. */
let passwordsSent = 0
let isUnreachable = false
const t = usePayments({
  delayMs: untilSettled,
  http: (call) => {
    if (call.url.endsWith('/charge/submit_otp')) {
      if (isUnreachable) return Promise.resolve({ kind: 'not_sent', reason: 'ECONNREFUSED' })
      passwordsSent += 1
    }
    return sendCall(call)
  },
})
let org: OrgPayments
beforeEach(async () => {
  await storeSimulatorCredentials(t.deps, operatorOf(t), t.simulator.url)
  org = await openPayments(t)
  passwordsSent = 0
})

const asksForOtp = ghanaianPayin({ amount: 10.15, target_amount: 10.15 })
const act = (id: string, body: Json, as?: string): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments-init/${id}/action`, { as: as ?? org.credential, body })
const submit = (id: string, otp: string): Promise<CallAnswer> => act(id, { action: 'submit_otp', otp })
const attemptReference = async (id: string): Promise<string> => (await org.attempts(id))[0].data.reference

/** How many rows of all tables hold the text, however they are written. */
async function rowsWith(text: string): Promise<number> {
  const { rows: tables } = await t.owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const hex = Buffer.from(text).toString('hex')
  let found = 0
  for (const { name } of tables) {
    const { rowCount } = await t.owner.query(
      `select from ${name} as line where line::text like $1 or line::text like $2`,
      [`%${text}%`, `%${hex}%`],
    )
    found += rowCount ?? 0
  }
  return found
}

describe('200', () => {
  it('the right one-time password: the customer’s part is done, and the provider completes it', async () => {
    const id = await org.start(asksForOtp)
    const answer = await submit(id, rightOtp)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      statusCode: 200,
      response: {
        success: true,
        payment_id: id,
        transaction_id: id,
        status: 'pending',
        provider: 'paystack',
      },
    })
    expect(answer.body.response.next_action).not.toBe('collect_otp')
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
    expect(await org.accepted(id)).toHaveLength(1)
  })

  it('a wrong one first does no harm to the right one', async () => {
    const id = await org.start(asksForOtp)
    expect((await submit(id, '000000')).status).toBe(400)
    expect((await submit(id, rightOtp)).status).toBe(200)
  })

  it('no password is written anywhere, neither a wrong nor the right one', async () => {
    const id = await org.start(asksForOtp)
    const before = await rowsWith(rightOtp)
    await submit(id, 'Zq7Xw93Kp1')
    await submit(id, rightOtp)
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
    expect(await rowsWith('Zq7Xw93Kp1')).toBe(0)
    expect(await rowsWith(rightOtp)).toBe(before)
    expect(await rowsWith(id)).toBeGreaterThan(0)
  })

  it('a provider that gives up by itself after wrong ones fails the payment', async () => {
    const id = await org.start(asksForOtp)
    const answers = [await submit(id, '000000'), await submit(id, '000000'), await submit(id, '000000')]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200])
    expect(answers.at(-1)?.body.response).toMatchObject({ success: false, status: 'failed' })
    expect((await org.record(id)).failure.code).toBe('AUTHENTICATION_FAILED')
  })

  it('cancel ends a payment whose provider lets go of it', async () => {
    const card_details = { ...cardPayin().card_details, card_number: '4000000000003220' }
    const id = await org.start(cardPayin({ card_details }))
    const answer = await act(id, { action: 'cancel' })
    expect(answer.body.response).toMatchObject({ payment_id: id, status: 'canceled' })
    expect(answer.body.response).not.toHaveProperty('next_action')
    expect((await org.record(id)).status).toBe('canceled')
  })

  it('what the provider did with the password is not known: the payment waits, and is asked about', async () => {
    const id = await org.start(asksForOtp)
    t.simulator.setFaults('paystack', [{ on: 'act', fault: 'cut_answer' }])
    expect((await submit(id, rightOtp)).body.response.status).toBe('pending')
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
  })
})

describe('400', () => {
  it('a wrong one-time password: INVALID_OTP, with the tries that are left', async () => {
    const id = await org.start(asksForOtp)
    const first = await submit(id, '000000')
    expect([first.status, first.body.code]).toEqual([400, 'INVALID_OTP'])
    expect(first.body.message).toContain('At most 4 more tries are possible')
    expect((await submit(id, '000001')).body.message).toContain('At most 3 more tries are possible')
    expect((await org.record(id)).status).toBe('pending')
  })

  it('a password with an action that takes none', async () => {
    const id = await org.start(asksForOtp)
    for (const action of ['resend_otp', 'cancel']) {
      const answer = await act(id, { action, otp: rightOtp })
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.body.message).toContain('otp is not a field of this request')
    }
    expect((await org.record(id)).status).toBe('pending')
  })

  /** The provider has its password already, and its account is set up to reject every further one. */
  async function startEndlesslyWrong(): Promise<string> {
    const secrets = { secretKey: 'sk_test_switchyard_sandbox', baseUrl: `${t.simulator.url}/paystack` }
    await storeInstallationKeys(t, 'paystack', { ...secrets, wrongOtpWords: ['not waiting for an otp'] })
    const id = await org.start(asksForOtp)
    const given = await request(`${t.simulator.url}/paystack/charge/submit_otp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ otp: rightOtp, reference: await attemptReference(id) }),
    })
    await given.body.dump()
    expect(given.statusCode).toBe(200)
    return id
  }

  it('the fifth wrong one fails the payment, and no other provider is tried', async () => {
    const id = await startEndlesslyWrong()
    const messages: string[] = []
    for (let times = 0; times < 5; times++) {
      const { status, body } = await submit(id, '000000')
      expect([status, body.code]).toEqual([400, 'INVALID_OTP'])
      messages.push(body.message)
    }
    expect(messages[3]).toContain('At most 1 more try is possible')
    expect(messages[4]).toContain('no try is left')
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'OTP_TRIES_EXHAUSTED' } })
    expect(await org.attempts(id)).toHaveLength(1)
    expect((await submit(id, rightOtp)).status).toBe(409)
  })

  it('wrong ones that come at the same moment are each counted', async () => {
    const id = await startEndlesslyWrong()
    t.simulator.setFaults('paystack', [{ on: 'act', fault: 'latency', ms: 200, times: 3 }])
    const answers = await Promise.all(['000000', '000001', '000002'].map((otp) => submit(id, otp)))
    expect(answers.map(({ body }) => body.code)).toEqual(['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP'])
    expect((await submit(id, '000003')).body.message).toContain('At most 1 more try is possible')
  })

  it('of fifty that come at the same moment five reach the provider, and none is answered with a 500', async () => {
    const id = await startEndlesslyWrong()
    t.simulator.setFaults('paystack', [{ on: 'act', fault: 'latency', ms: 200, times: 50 }])
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit(id, '000000')))
    const codes = answers.map(({ status, body }) => `${status} ${body.code}`)
    expect(codes.filter((code) => code === '400 INVALID_OTP')).toHaveLength(5)
    expect(codes.filter((code) => code === '409 CONFLICT')).toHaveLength(45)
    expect(passwordsSent).toBe(5)
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'OTP_TRIES_EXHAUSTED' } })
  })

  it('a process that dies between taking a try and calling the provider costs one try', async () => {
    const id = await startEndlesslyWrong()
    const dying = Promise.withResolvers<void>()
    const load: PaymentDeps['connectors']['load'] = async (...args) => {
      const connector = await t.deps.connectors.load(...args)
      const act = () => (dying.resolve(), new Promise<never>(() => undefined))
      return connector && { ...connector, act }
    }
    const deps = { ...t.deps, connectors: { ...t.deps.connectors, load } }
    const caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'payer', role: 'org-admin' })
    const action = { type: 'submit_otp', otp: '000000' } as const
    await Promise.race([submitAction(deps, caller, { paymentId: id, action }), dying.promise])
    expect((await submit(id, '000000')).body.message).toContain('At most 3 more tries are possible')
  })

  it('a password that did not reach the provider costs no try', async () => {
    const id = await startEndlesslyWrong()
    t.simulator.setFaults('paystack', [])
    isUnreachable = true
    expect((await submit(id, '000000')).status).toBe(409)
    isUnreachable = false
    expect((await submit(id, '000000')).body.message).toContain('At most 4 more tries are possible')
  })

  it.each([
    ['no action', {}],
    ['an action that does not exist', { action: 'approve' }],
    ['no password', { action: 'submit_otp' }],
    ['a password that is a number', { action: 'submit_otp', otp: 123_456 }],
    ['a password of two characters', { action: 'submit_otp', otp: '12' }],
    ['a password with other characters', { action: 'submit_otp', otp: "1' or '1" }],
  ])('%s', async (_name, body) => {
    const answer = await act('0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body).toMatchObject({ error: 'Bad Request', message: expect.any(String) })
  })
})

describe('403', () => {
  it('a viewer may not act', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const id = await org.start(asksForOtp)
    const answer = await act(id, { action: 'submit_otp', otp: rightOtp }, viewer.token)
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('404', () => {
  it('a payment that does not exist, and one of another organisation', async () => {
    const theirs = await (await openPayments(t)).start(asksForOtp)
    for (const id of ['0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f', theirs])
      for (const body of [
        { action: 'submit_otp', otp: rightOtp },
        { action: 'resend_otp' },
        { action: 'cancel' },
      ]) {
        const answer = await act(id, body)
        expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
      }
  })
})

describe('409', () => {
  it('a payment that waits for no password', async () => {
    const [waiting, done] = [await org.start(mobileMoneyPayin()), await org.start(cardPayin())]
    for (const id of [waiting, done])
      for (const body of [{ action: 'submit_otp', otp: rightOtp }, { action: 'resend_otp' }]) {
        const answer = await act(id, body)
        expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
      }
  })

  it('the password was given already', async () => {
    const id = await org.start(asksForOtp)
    await submit(id, rightOtp)
    expect((await submit(id, rightOtp)).status).toBe(409)
  })

  it('resend, where the provider cannot: 409, and nothing changes', async () => {
    const id = await org.start(asksForOtp)
    const answer = await act(id, { action: 'resend_otp' })
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    expect((await submit(id, rightOtp)).status).toBe(200)
  })

  it('cancel, where the provider cannot', async () => {
    const id = await org.start(asksForOtp)
    expect((await act(id, { action: 'cancel' })).status).toBe(409)
    expect((await org.record(id)).status).toBe('pending')
  })
})
