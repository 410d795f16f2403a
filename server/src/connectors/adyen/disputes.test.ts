import { describe, expect, test } from 'vitest'
import type { HttpCall, HttpResult } from '../kit/http-client.ts'
import { adyenConnector } from './connector.ts'
import { adyenDisputes, readDisputes } from './disputes.ts'
import { readWebhook } from './webhook.ts'

const credentials = adyenConnector.credentials.parse({
  apiKey: 'key',
  merchantAccount: 'ACME',
  hmacKeys: ['44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'],
})
const bodyOf = (eventCode: string, more: object = {}, additionalData: object = {}): Buffer => {
  const item = {
    pspReference: 'D1',
    originalReference: 'P1',
    merchantAccountCode: 'ACME',
    merchantReference: 'ours',
    amount: { currency: 'GBP', value: 2500 },
    eventCode,
    success: 'true',
    additionalData: { hmacSignature: 'unread', ...additionalData },
    ...more,
  }
  return Buffer.from(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] }))
}
const read = (...item: Parameters<typeof bodyOf>) => readDisputes(credentials, bodyOf(...item))[0]
const amount = { amountMinor: 25_00n, currency: 'GBP' }
const moves = (count: number) => ({ moves: Array.from({ length: count }, () => ({ amount })) })

describe('an event about a dispute', () => {
  test.each([
    ['NOTIFICATION_OF_FRAUD', 'warning', 1, undefined],
    ['REQUEST_FOR_INFORMATION', 'warning', 1, undefined],
    ['NOTIFICATION_OF_CHARGEBACK', 'needs_response', 1, undefined],
    ['CHARGEBACK', 'needs_response', 1, moves(1)],
    ['INFORMATION_SUPPLIED', 'under_review', 1, undefined],
    ['CHARGEBACK_REVERSED', 'won', 1, moves(2)],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won', 1, undefined],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost', 1, undefined],
    ['SECOND_CHARGEBACK', 'lost', 2, moves(3)],
    ['PREARBITRATION_WON', 'won', 2, { isWithdrawn: false, amount }],
    ['PREARBITRATION_LOST', 'lost', 2, { isWithdrawn: true, amount }],
    ['PREARBITRATION_ISSUER_WITHDRAWN', 'won', 2, { isWithdrawn: false, amount }],
    ['SCHEME_ARBITRATION_WON', 'won', 2, { isWithdrawn: false, amount }],
    ['SCHEME_ARBITRATION_LOST', 'lost', 2, { isWithdrawn: true, amount }],
  ])('%s is %s in round %d', (eventCode, state, round, funds) => {
    const dispute = read(eventCode)
    expect([dispute?.state, dispute?.round, dispute?.funds]).toEqual([state, round, funds])
    expect(dispute?.hasEvidence).toBe(eventCode === 'INFORMATION_SUPPLIED' ? true : undefined)
  })

  test('is read with its payment, its amount and its deadline', () => {
    const details = {
      chargebackReasonCode: '10.4',
      chargebackSchemeCode: 'visa',
      defensePeriodEndsAt: '2026-06-01T00:00:00Z',
    }
    expect(read('CHARGEBACK', {}, details)).toMatchObject({
      dedupeKey: 'dispute:CHARGEBACK:D1',
      providerRef: 'D1',
      payment: { reference: 'ours' },
      providerStatus: 'CHARGEBACK',
      reason: 'fraudulent',
      providerReason: 'visa 10.4',
      amount,
      dueBy: new Date('2026-06-01T00:00:00Z'),
    })
    expect(read('CHARGEBACK')).toMatchObject({ reason: 'general', providerReason: '', dueBy: undefined })
  })

  test.each([
    ['10.1 10.2 10.3 10.4 10.5 4837', 'fraudulent'],
    ['11.1 11.2 11.3 4808', 'authorization'],
    ['12.5', 'incorrect_amount'],
    ['12.6 12.6.1 12.6.2 4834', 'duplicate'],
    ['13.1', 'not_received'],
    ['13.2 13.7', 'canceled'],
    ['13.3 4853', 'not_as_described'],
    ['13.6', 'credit_not_processed'],
    ['4863', 'unrecognized'],
    ['99', 'general'],
  ])('with the reason %s is %s', (codes, reason) => {
    for (const code of codes.split(' '))
      expect([code, read('CHARGEBACK', {}, { chargebackReasonCode: code })?.reason]).toEqual([code, reason])
  })

  test.each([
    ['AUTHORISATION', {}],
    ['toString', {}],
    ['CHARGEBACK', { success: 'false' }],
    ['CHARGEBACK', { amount: { currency: 'NONE', value: 1 } }],
  ])('%s %j is none', (eventCode, more) => {
    expect(readDisputes(credentials, bodyOf(eventCode, more))).toEqual([])
  })
})

test('a refund that Adyen took back has failed as reversed', () => {
  expect(readWebhook(credentials, bodyOf('REFUNDED_REVERSED'))).toMatchObject([
    { state: { state: 'failed', failure: { code: 'REVERSED' } } },
  ])
})

describe('a response', () => {
  const subject = { providerRef: 'D1', reference: 'r', amount, attemptReference: 'ours' }
  const named = { disputePspReference: 'D1', merchantAccountCode: 'ACME' }
  const success = { disputeServiceResult: { success: true } }
  const failure = { disputeServiceResult: { success: false } }
  const reason = (defenseReasonCode: string, ...types: [string, string][]) => ({
    defenseReasonCode,
    defenseDocumentTypes: types.map(([defenseDocumentTypeCode, requirementLevel]) => ({
      defenseDocumentTypeCode,
      requirementLevel,
    })),
  })
  const offered = (...defenseReasons: object[]) => ({ ...success, defenseReasons })
  const file = (contentType: 'image/jpeg' | 'application/pdf') =>
    ({ purpose: 'other', name: 'a', contentType, bytes: Buffer.from('a') }) as const

  function answering(...answers: [number, unknown][]) {
    const calls: HttpCall[] = []
    const http = async (call: HttpCall): Promise<HttpResult> => {
      const [status, answer] = answers[calls.length] ?? [500, {}]
      calls.push(call)
      return { kind: 'answered', status, headers: {}, body: JSON.stringify(answer) }
    }
    const context = {
      http,
      credentials,
      clock: { now: () => new Date() },
      webhookUrl: 'https://api.test/hook',
    }
    return { calls, disputes: adyenDisputes(context) }
  }
  const sent = (calls: HttpCall[]) =>
    calls.map(({ url, headers, body }) => [
      new URL(url).pathname.split('/').at(-1),
      headers?.['idempotency-key'],
      JSON.parse(String(body)) as unknown,
    ])

  test.each<[number, unknown, string]>([
    [200, success, 'accepted'],
    [200, failure, 'unknown'],
    [401, { status: 401, errorCode: '000', message: 'no' }, 'declined'],
    [403, { status: 403, errorCode: '010', message: 'no' }, 'declined'],
    [422, { status: 422, errorCode: '1', message: 'no' }, 'declined'],
    [400, { status: 400, errorCode: '1', message: 'no' }, 'unknown'],
    [500, {}, 'unknown'],
  ])('that accepts the dispute and gets %d %j is %s', async (status, answer, kind) => {
    const { calls, disputes } = answering([status, answer])
    expect((await disputes.acceptDispute!(subject)).kind).toBe(kind)
    expect(sent(calls)).toEqual([['acceptDispute', 'r', named]])
  })

  test.each<HttpResult>([
    { kind: 'not_sent', reason: 'the address is not allowed' },
    { kind: 'unknown', reason: 'no answer' },
  ])('that was not answered is as the call was: %j', async (result) => {
    const context = {
      http: () => Promise.resolve(result),
      credentials,
      clock: { now: () => new Date() },
      webhookUrl: 'https://api.test/hook',
    }
    expect(await adyenDisputes(context).acceptDispute!(subject)).toEqual(result)
  })

  test('that is not confirmed is unknown, with a reason', async () => {
    const { disputes } = answering([200, failure])
    expect(await disputes.acceptDispute!(subject)).toEqual({
      kind: 'unknown',
      reason: 'Adyen did not confirm it',
    })
  })

  test('without a file is refused before anything is sent', async () => {
    const { calls, disputes } = answering()
    expect(await disputes.submitEvidence!(subject, { files: [], texts: {} })).toMatchObject({
      kind: 'declined',
    })
    expect(calls).toEqual([])
  })

  test('uploads the files and defends with the wanted reason', async () => {
    const reasons = offered(
      reason('one', ['A', 'Optional']),
      reason('two', ['B', 'Optional'], ['C', 'Required']),
    )
    const { calls, disputes } = answering([200, reasons], [200, success], [200, success])
    const files = [file('image/jpeg'), file('application/pdf')]
    const outcome = await disputes.submitEvidence!(subject, { files, texts: { defense_reason: 'two' } })
    expect(outcome).toEqual({ kind: 'accepted' })
    const document = { content: 'YQ==', defenseDocumentTypeCode: 'C' }
    expect(sent(calls)).toEqual([
      ['retrieveApplicableDefenseReasons', 'r-reasons', named],
      [
        'supplyDefenseDocument',
        'r-documents',
        {
          ...named,
          defenseDocuments: [
            { ...document, contentType: 'image/jpg' },
            { ...document, contentType: 'application/pdf' },
          ],
        },
      ],
      ['defendDispute', 'r', { ...named, defenseReasonCode: 'two' }],
    ])
  })

  test.each([
    [[['A', 'Optional']] as [string, string][], 'A'],
    [[] as [string, string][], 'DefenseMaterial'],
  ])('with the documents %j uses %s, and the first reason', async (types, code) => {
    const { calls, disputes } = answering(
      [200, offered(reason('one', ...types))],
      [200, success],
      [200, success],
    )
    await disputes.submitEvidence!(subject, { files: [file('application/pdf')], texts: {} })
    expect(sent(calls)[1]?.[2]).toMatchObject({ defenseDocuments: [{ defenseDocumentTypeCode: code }] })
    expect(sent(calls)[2]?.[2]).toMatchObject({ defenseReasonCode: 'one' })
  })

  test.each<[string, [number, unknown][], string]>([
    ['no reason is offered', [[200, offered()]], 'not_sent'],
    ['the reasons are refused', [[422, { status: 422, errorCode: '1', message: 'no' }]], 'declined'],
    [
      'the documents are not taken',
      [
        [200, offered(reason('one'))],
        [200, failure],
      ],
      'declined',
    ],
    [
      'the documents get no answer',
      [
        [200, offered(reason('one'))],
        [500, {}],
      ],
      'not_sent',
    ],
  ])('is not sent when %s', async (_name, answers, kind) => {
    const { calls, disputes } = answering(...answers)
    const evidence = { files: [file('application/pdf')], texts: {} }
    expect((await disputes.submitEvidence!(subject, evidence)).kind).toBe(kind)
    expect(sent(calls).map(([path]) => path)).not.toContain('defendDispute')
  })
})
