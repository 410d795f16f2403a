import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  card,
  cardDetails,
  control,
  cvv,
  hostedCard,
  mistypedCard,
  otp,
  person,
  secrets,
  word,
  wrongKey,
} from '../../../test/secrets/canaries.ts'
import {
  filesUnder,
  findSecrets,
  formsOf,
  formsOfCvv,
  formsOfNamedCvv,
  postgresPlaces,
  tablesOf,
  textsOf,
  withUnpacked,
  type Place,
} from '../../../test/secrets/search-secrets.ts'
import type { CallAnswer, Json } from '../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openPayments,
  operatorOf,
  paymentsOf,
  startTestPayments,
  type OrgPayments,
  type TestPayments,
} from '../../../test/worlds/test-payments.ts'
import { sendStrayCards, strayForms } from '../../../test/secrets/send-stray-cards.ts'
import { payAndMistype } from '../../../test/browser/pay-on-page.ts'
import { until } from '../../../test/app/test-relay.ts'
import { startTestWorker, type TestWorker } from '../../../test/app/test-worker.ts'
import { storeCredentials } from '../providers/accounts/store-credentials.ts'

let t: TestPayments
let org: OrgPayments
let worker: TestWorker
let apiKey: string
let simulatorDir: string
let firstWalFile: string
const logged: Buffer[] = []
const answers: CallAnswer[] = []
/** A payment that the engine was given. */
let supervised: string

beforeAll(async () => {
  simulatorDir = await mkdtemp(join(tmpdir(), 'switchyard-canary-'))
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(Buffer.from(chunk))
      done()
    },
  })
  t = await startTestPayments({ env: { LOG_LEVEL: 'trace' }, logTo, sendDeadlineMs: 300, simulatorDir })
  const { rows } = await t.owner.query('select pg_walfile_name(pg_current_wal_lsn()) as name')
  firstWalFile = rows[0].name
  await changeSecrets()
  await openWithKey()
  worker = await startTestWorker(t)
  await payEveryWay()
  await payOnThePage()
  await failEveryWay()
  answers.push(...(await sendStrayCards(t)))
  await t.simulator.settle({ all: true })
})
afterAll(async () => {
  await worker.stop()
  await t.close()
  await rm(simulatorDir, { recursive: true, force: true })
})

async function changeSecrets(): Promise<void> {
  t.simulator.configure('pawapay', { secrets: { api_token: secrets.pawapay } })
  t.simulator.configure('paystack', { secrets: { secret_key: secrets.paystack } })
  t.simulator.configure('stripe', {
    secrets: { secret_key: secrets.stripe, webhook_secret: secrets.stripeWebhooks },
  })
  const baseUrl = (provider: string): string => t.simulator.providerUrl(provider)
  const credentials = {
    pawapay: { apiToken: secrets.pawapay, baseUrl: baseUrl('pawapay') },
    paystack: { secretKey: secrets.paystack, baseUrl: baseUrl('paystack') },
    stripe: {
      secretKey: secrets.stripe,
      webhookSecrets: [secrets.stripeWebhooks],
      baseUrl: baseUrl('stripe'),
    },
  }
  for (const [provider, stored] of Object.entries(credentials))
    await storeCredentials(t.deps, operatorOf(t), { provider, orgId: null, credentials: stored })
}

async function openWithKey(): Promise<void> {
  const opened = await openPayments(t)
  const made = await opened.call('POST', '/v1/public/api-keys', { name: 'canary' })
  apiKey = made.body.data.api_key
  org = paymentsOf(t, opened.orgId, apiKey)
}

async function send(path: string, body: Json): Promise<Json> {
  const headers = { 'idempotency-key': word() }
  const answer = await t.call('POST', path, { as: apiKey, body, headers })
  answers.push(answer)
  return answer
}
const pay = async (body: Json): Promise<Json> => {
  const answer = await send('/v1/payments-init/initiate', { ...body, client_reference: control })
  return { status: answer.status, ...answer.body.response }
}

const payer = { payer_details: { name: person.name, email: person.email, phone: person.phone } }
const cents = (amount: number) => ({ amount, target_amount: amount })
const ghana = { country: 'GH', currency: 'GHS', target_currency: 'GHS' }

async function payEveryWay(): Promise<void> {
  const momo = { mobile_money_details: { provider: 'MTN', phone_number: person.phone } }
  const bank = { account_number: person.account, bank_code: '044', bank_name: 'Access Bank' }
  await pay(mobileMoneyPayin({ ...payer, ...momo }))
  const paid = await pay(cardPayin({ ...payer, ...cardDetails(card) }))
  await send(`/v1/payments/${paid.payment_id}/refund`, { reason: 'canary' })
  await pay(
    cardPayin({
      ...payer,
      ...cardDetails(hostedCard),
      country: 'NG',
      currency: 'NGN',
      target_currency: 'NGN',
    }),
  )
  await pay(
    bankTransferPayin({ ...payer, bank_account: bank, bank_details: { ...bank, account_name: person.name } }),
  )
  const phonePayee = await org.addBeneficiary(
    mobileMoneyBeneficiary({
      fname: person.name,
      momo_details: { provider: 'MTN', phone_number: person.phone },
    }),
  )
  await pay(mobileMoneyPayout(phonePayee, momo))
  const bankPayee = await org.addBeneficiary(bankBeneficiary({ email: person.email, bank_details: bank }))
  await pay(bankPayout(bankPayee, { bank_account: bank }))
  const asked = await pay(
    mobileMoneyPayin({
      ...payer,
      ...ghana,
      ...cents(10.15),
      mobile_money_details: { provider: 'MTN', phone_number: '233241234567' },
    }),
  )
  expect(asked.next_action).toBe('collect_otp')
  const wrong = await send(`/v1/payments-init/${asked.payment_id}/action`, { action: 'submit_otp', otp })
  expect(wrong.status).toBe(400)
}

async function payOnThePage(): Promise<void> {
  const make = async (body: Json): Promise<Json> =>
    (await t.call('POST', `/v1/orgs/${org.orgId}/payment-links`, { as: apiKey, body })).body.data
  const seen = await payAndMistype(make)
  expect(seen.map(({ status }) => status)).toEqual([422, 403, 303, 200, 303, 422])
  answers.push(...seen.map((answer) => ({ ...answer, body: undefined })))
}

/** A payment whose response is lost, so that the engine asks about it and finds that it was paid. */
async function paySupervised(): Promise<string> {
  const { payment_id: id } = await pay(cardPayin({ ...payer, ...cardDetails(card), ...cents(25.18) }))
  await until(
    'the engine to be done with it',
    async () => (await org.record(id)).status === 'completed',
    30_000,
  )
  return id
}

/** Where things go wrong, more is said: errors, exceptions, journals. */
async function failEveryWay(): Promise<void> {
  const withCard = { ...payer, ...cardDetails(card) }
  // Without webhooks the engine has to find out.
  t.simulator.setFaults('stripe', [{ on: 'webhook', fault: 'webhook_drop', times: 100 }])
  supervised = await paySupervised()
  for (const sentinel of [25.11, 25.12, 25.19, 25.2, 25.21, 25.26, 25.28])
    await pay(cardPayin({ ...withCard, ...cents(sentinel) }))
  const refused = await pay(cardPayin({ ...payer, ...cardDetails(mistypedCard) }))
  expect(refused.status).toBe(400)
  const cut = await t.call('POST', '/v1/payments-init/initiate', {
    as: apiKey,
    rawBody: JSON.stringify(cardPayin(withCard)).slice(0, -1),
  })
  expect(cut.status).toBe(400)
  answers.push(cut, await t.call('GET', '/v1/users/me', { as: wrongKey }))
  await t.owner.query('alter table payments rename to payments_away')
  const broken = await send('/v1/payments-init/initiate', cardPayin(withCard))
  await t.owner.query('alter table payments_away rename to payments')
  expect(broken.status).toBe(500)
}

const enginePlace: Place = {
  name: 'engine',
  pieces: () => withUnpacked(filesUnder(inject('restateDataDir'))),
}
const logPlace: Place = { name: 'log', pieces: () => textsOf(Buffer.concat(logged).toString()) }
const answersPlace: Place = {
  name: 'answers',
  pieces: () => textsOf(...answers.map(({ text, headers }) => text + JSON.stringify(headers))),
}
const simulatorPlaces: Place[] = [
  { name: 'files of the simulator', pieces: () => filesUnder(simulatorDir) },
  {
    name: 'memory of the simulator',
    pieces: () =>
      textsOf(
        ...['pawapay', 'paystack', 'stripe'].flatMap((provider) => [
          JSON.stringify(t.simulator.transactions(provider)),
          JSON.stringify(t.simulator.webhooks(provider)),
        ]),
      ),
  },
]

const cardCanaries = {
  'card number': formsOf(card),
  'card number of a hosted page': formsOf(hostedCard),
  'mistyped card number': formsOf(mistypedCard),
  'stray card number': strayForms.flatMap(formsOf),
  cvv: formsOfCvv(cvv),
  'one-time password': formsOf(otp),
}
const keyCanaries = () => ({
  'secret of pawapay': formsOf(secrets.pawapay),
  'secret of paystack': formsOf(secrets.paystack),
  'secret of stripe': formsOf(secrets.stripe),
  'webhook secret of stripe': formsOf(secrets.stripeWebhooks),
  'API key': formsOf(apiKey),
  'wrong API key': formsOf(wrongKey),
})
const everything = () => ({ ...cardCanaries, ...keyCanaries() })

describe('no card number, CVV, one-time password, provider secret or API key', () => {
  it('is in Postgres: its tables, its files, its write-ahead log, its own log', async () => {
    const { own, shared } = await postgresPlaces(t.owner, firstWalFile)
    const sought = { ...everything(), control: formsOf(control) }
    // What may be there is found in each place but the last: the search does find things.
    expect(await findSecrets(own, sought)).toEqual(['data files: control', 'tables: control'])
    expect(await findSecrets(shared, { ...sought, cvv: formsOfNamedCvv(cvv) })).toEqual([
      'write-ahead log: control',
    ])
  })

  it('is in the engine, which knows the payment by its id', { timeout: 180_000 }, async () => {
    // The engine packs its files again while it works, so the search may find a payment only shortly after it was made.
    const found = await until(
      'the engine to have a payment in its files',
      async () => {
        const secretsFound = await findSecrets([enginePlace], {
          ...everything(),
          control: formsOf(supervised),
        })
        if (secretsFound.length === 0) supervised = await paySupervised()
        return secretsFound.length > 0 && secretsFound
      },
      150_000,
    )
    expect(found).toEqual(['engine: control'])
  })

  it('is in a log, at its most talkative', async () => {
    const requestId = String(answers[0]?.headers['x-request-id'])
    const found = await findSecrets([logPlace], { ...everything(), control: formsOf(requestId) })
    expect(found).toEqual(['log: control'])
  })

  it('is in an answer', async () => {
    const found = await findSecrets([answersPlace], { ...everything(), control: formsOf(supervised) })
    expect(found).toEqual(['answers: control'])
  })
})

describe('the simulator', () => {
  it('keeps no card number, CVV or one-time password either', async () => {
    const [taken] = await org.accepted(supervised)
    const found = await findSecrets(simulatorPlaces, {
      ...cardCanaries,
      control: formsOf(taken?.reference ?? ''),
    })
    expect(found).toEqual(['files of the simulator: control', 'memory of the simulator: control'])
  })
})

describe('personal data', () => {
  it('is in no table in clear: phone, account number, email and name are sealed', async () => {
    const canaries = Object.entries(person).map(([name, value]) => [name, formsOf(value)] as const)
    const found = await findSecrets([tablesOf(t.owner)], {
      ...Object.fromEntries(canaries),
      control: formsOf(control),
    })
    expect(found).toEqual(['tables: control'])
  })
})
