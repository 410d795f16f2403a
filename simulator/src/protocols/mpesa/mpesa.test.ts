import { constants, publicEncrypt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { SANDBOX_PUBLIC_KEY } from './sandbox-key.ts'

let simulator: Simulator
let receiver: Receiver
let token = ''
const url = (path: string) => `${simulator.providerUrl('mpesa')}${path}`
const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
const askToken = (pair: string) =>
  http(url('/oauth/v1/generate?grant_type=client_credentials'), { headers: basic(pair) })

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 86_400_000 })
  receiver = await startReceiver()
  const answer = await askToken('mpesa-sandbox-key:mpesa-sandbox-secret')
  token = (answer.json() as { access_token: string }).access_token // as asked
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

const post = (path: string, body: object, bearer = token) =>
  http(url(path), { method: 'POST', headers: { authorization: `Bearer ${bearer}` }, body })

const Timestamp = '20261115090000'
const signed = {
  BusinessShortCode: '174379',
  Password: Buffer.from(`174379mpesa-sandbox-passkey${Timestamp}`).toString('base64'),
  Timestamp,
}
const push = (change: object = {}) => ({
  ...signed,
  TransactionType: 'CustomerPayBillOnline',
  Amount: '150',
  PartyA: '254710000000',
  PartyB: '174379',
  PhoneNumber: '254710000000',
  CallBackURL: receiver.url,
  AccountReference: 'ours',
  TransactionDesc: 'Order 7',
  ...change,
})
const SecurityCredential = publicEncrypt(
  { key: SANDBOX_PUBLIC_KEY, padding: constants.RSA_PKCS1_PADDING },
  Buffer.from('mpesa-sandbox-initiator'),
).toString('base64')
const payout = (OriginatorConversationID: string, change: object = {}) => ({
  OriginatorConversationID,
  InitiatorName: 'testapi',
  SecurityCredential,
  CommandID: 'BusinessPayment',
  Amount: '150',
  PartyA: '174379',
  PartyB: '254710000000',
  Remarks: 'OK',
  QueueTimeOutURL: receiver.url,
  ResultURL: receiver.url,
  ...change,
})

const pushPath = '/mpesa/stkpush/v1/processrequest'
const payoutPath = '/mpesa/b2c/v3/paymentrequest'
const bodies = (): unknown[] => receiver.received().map(({ body }) => JSON.parse(body) as unknown)
const startPush = async (change: object = {}): Promise<string> => {
  const answer = await post(pushPath, push(change))
  expect(answer.status).toBe(200)
  return (answer.json() as { CheckoutRequestID: string }).CheckoutRequestID // as asked
}
const query = (CheckoutRequestID: string) =>
  post('/mpesa/stkpushquery/v1/query', { ...signed, CheckoutRequestID })

describe('refusals', () => {
  test('an unknown consumer gets a token that does not work', async () => {
    const { access_token: other } = (await askToken('a:b')).json() as { access_token: string } // as asked
    for (const bearer of [other, 'none']) {
      const answer = await post(pushPath, push(), bearer)
      expect([answer.status, answer.json()]).toMatchObject([404, { errorCode: '404.001.03' }])
    }
  })

  test.each([
    [{ Amount: '1.50' }, 400, 'Amount'],
    [{ PhoneNumber: '0710000000' }, 400, 'PhoneNumber'],
    [{ AccountReference: 'longer than twelve' }, 400, 'AccountReference'],
    [{ BusinessShortCode: '999999' }, 500, 'Merchant does not exist'],
    [{ Password: 'wrong' }, 500, 'Wrong credentials'],
  ])('a prompt with %j: %i', async (change, status, words) => {
    const answer = await post(pushPath, push(change))
    expect([answer.status, answer.json()]).toMatchObject([
      status,
      { errorMessage: expect.stringContaining(words) },
    ])
  })
})

describe('a prompt', () => {
  test('is not deduplicated: two calls are two prompts', async () => {
    const before = simulator.log({ provider: 'mpesa' }).length
    expect(await startPush()).not.toBe(await startPush())
    expect(simulator.log({ provider: 'mpesa' })).toHaveLength(before + 2)
  })

  test('is in progress until the customer answers, and the callback contains the receipt', async () => {
    const id = await startPush()
    expect((await query(id)).json()).toMatchObject({
      errorCode: '500.001.1001',
      errorMessage: 'The transaction is being processed',
    })
    await simulator.settle()
    expect((await query(id)).json()).toMatchObject({ CheckoutRequestID: id, ResultCode: '0' })
    const items = expect.arrayContaining([
      { Name: 'Amount', Value: 150 },
      { Name: 'MpesaReceiptNumber', Value: expect.stringMatching(/^[A-Z0-9]{10}$/) },
    ])
    expect(bodies()).toContainEqual({
      Body: {
        stkCallback: expect.objectContaining({
          CheckoutRequestID: id,
          ResultCode: 0,
          CallbackMetadata: { Item: items },
        }),
      },
    })
  })

  test('that is not approved has its result code and no metadata', async () => {
    const id = await startPush({ PhoneNumber: '254710000014', PartyA: '254710000014' })
    await simulator.settle()
    expect((await query(id)).json()).toMatchObject({ ResultCode: '1032' })
    const told = bodies().find((body) => JSON.stringify(body).includes(id))
    expect(told).toMatchObject({ Body: { stkCallback: { ResultCode: 1032 } } })
    expect(JSON.stringify(told)).not.toContain('CallbackMetadata')
  })
})

describe('a payout', () => {
  const status = (OriginalConversationID: string, ResultURL: string) =>
    post('/mpesa/transactionstatus/v1/query', {
      Initiator: 'testapi',
      SecurityCredential,
      CommandID: 'TransactionStatusQuery',
      OriginalConversationID,
      PartyA: '174379',
      IdentifierType: '4',
      Remarks: 'OK',
      QueueTimeOutURL: receiver.url,
      ResultURL,
    })
  const answersAt = (path: string) =>
    receiver
      .received()
      .filter((webhook) => webhook.path.endsWith(path))
      .map(({ body }) => JSON.parse(body) as unknown)

  test('with the same conversation id is refused and accepted once', async () => {
    expect((await post(payoutPath, payout('c-1'))).status).toBe(200)
    const again = await post(payoutPath, payout('c-1'))
    expect([again.status, again.json()]).toMatchObject([
      500,
      { errorMessage: expect.stringContaining('Duplicate') },
    ])
    expect(simulator.log({ provider: 'mpesa', reference: 'c-1' })).toHaveLength(1)
  })

  test('of a wrong initiator is accepted and fails in its result', async () => {
    await post(payoutPath, payout('c-2', { InitiatorName: 'somebody' }))
    await simulator.settle()
    expect(bodies()).toContainEqual({
      Result: expect.objectContaining({ OriginatorConversationID: 'c-2', ResultCode: 2001 }),
    })
  })

  test('can be queried, and the answer is sent to the address of the query even without a result', async () => {
    await post(payoutPath, payout('c-3', { PartyB: '254710000022' }))
    await simulator.settle()
    expect(JSON.stringify(bodies())).not.toContain('c-3')
    await status('c-3', `${receiver.url}/asked`)
    await expect.poll(() => answersAt('/asked'), { timeout: 25_000 }).toHaveLength(1)
    const parameters = expect.arrayContaining([
      { Key: 'OriginatorConversationID', Value: 'c-3' },
      { Key: 'TransactionStatus', Value: 'Completed' },
      { Key: 'Amount', Value: 150 },
    ])
    expect(answersAt('/asked')).toMatchObject([
      { Result: { ResultCode: 0, ResultParameters: { ResultParameter: parameters } } },
    ])
  })

  test('that is unknown gets no answer to a query', async () => {
    expect((await status('c-nobody', `${receiver.url}/vain`)).status).toBe(200)
    await status('c-1', `${receiver.url}/known`)
    await expect.poll(() => answersAt('/known'), { timeout: 25_000 }).toHaveLength(1)
    expect(answersAt('/vain')).toEqual([])
  })
})

test('a charge is reversed once, by its receipt and in full', async () => {
  const id = await startPush({ AccountReference: 'reversed' })
  await simulator.settle()
  const told = JSON.stringify(bodies().find((body) => JSON.stringify(body).includes(id)))
  const receipt = /"MpesaReceiptNumber","Value":"(\w+)"/.exec(told)?.[1] ?? ''
  const reversal = (Amount: string) => ({
    Initiator: 'testapi',
    SecurityCredential,
    CommandID: 'TransactionReversal',
    TransactionID: receipt,
    Amount,
    ReceiverParty: '174379',
    RecieverIdentifierType: '11',
    Remarks: 'OK',
    QueueTimeOutURL: receiver.url,
    ResultURL: receiver.url,
  })
  const path = '/mpesa/reversal/v1/request'
  expect((await post(path, reversal('50'))).status).toBe(400)
  expect((await post(path, reversal('150'))).status).toBe(200)
  expect((await post(path, reversal('150'))).json()).toMatchObject({
    errorMessage: expect.stringContaining('already been reversed'),
  })
})
