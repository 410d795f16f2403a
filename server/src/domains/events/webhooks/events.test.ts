import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { openAccounts } from '../../../../test/worlds/test-accounts.ts'
import { runDisbursement } from '../../../../test/worlds/test-disbursement.ts'
import { openEscrow, percent } from '../../../../test/worlds/test-escrow.ts'
import {
  freezeAndAnswer,
  frozenText,
  submittedText,
  unfrozenText,
} from '../../../../test/processes/freeze-and-answer.ts'
import { notificationText } from '../../../../test/worlds/notification-text.ts'
import { kybOf } from '../../../../test/worlds/test-kyb.ts'
import {
  cardPayin,
  createTestClock,
  mobileMoneyPayin,
  openPayments,
  openUnverified,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { eventTypes } from './events.ts'
import { eventBody, signatureHeaders } from './rules.ts'

// The package is CommonJS: its default export arrives one level down.
const addFormats = addFormatsModule.default

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })

interface StoredEvent {
  eventId: string
  eventType: string
  orgId: string
  createdAt: Date
  data: string
}

async function storedEvents(): Promise<StoredEvent[]> {
  const { rows } = await t.owner.query<StoredEvent>(
    `select event_id as "eventId", event_type as "eventType", org_id as "orgId", created_at as "createdAt", data
     from events order by created_at, sequence, event_type`,
  )
  return rows
}

/** The data of an organisation's newest event of a type, with ids and times replaced by placeholders. */
async function newest(orgId: string, eventType: string): Promise<string | undefined> {
  const stored = (await storedEvents()).findLast((one) => one.orgId === orgId && one.eventType === eventType)
  return stored?.data
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
}

const mobileMoneyText = (status: string, previous: string, sequence: number): string =>
  `{"payment_id":"ID","transaction_id":"ID","status":"${status}","previous_status":"${previous}","amount":5000.0,` +
  `"currency":"UGX","target_amount":5000.0,"target_currency":"UGX","refunded_amount":0.0,"direction":"inbound",` +
  `"payment_method":"mobile_money","provider":"pawapay","client_reference":"A\\"7é\\u0001","failure":null,"fee_ids":[],"total_fees":null,"fees_currency":null,` +
  `"metadata":{"rate":1.5},"updated_at":"TIME","sequence":${sequence}}`

const accountText = (type: 'credit' | 'debit', change: { balance: string; sequence: number }): string =>
  `{"transaction_id":"ID","account_id":"ID","org_id":"ID","type":"${type}","status":"completed","amount":20.50,` +
  `"fee":0.00,"currency":"NGN","description":"Rent \\"May\\" é\\n\\u0001\u007f","payment_rail":"internal",` +
  `"reference":"rent/5\\\\","created_at":"TIME","updated_at":"TIME","user_id":"ID",` +
  `"balance_after":${change.balance},"sequence":${change.sequence}}`

const milestoneText = (previous: string, sequence: number, disbursements: string): string =>
  `{"milestone_id":"ID","escrow_id":"ID","status":"disbursing","previous_status":"${previous}","milestone":` +
  `{"milestone_id":"ID","escrow_id":"ID","label":"Foundations","sequence":1,"expected_disbursement":20.14,` +
  `"currency":"NGN","status":"disbursing","disbursed_total":0.00,"description":"",` +
  `"contract":{"reference":"C-1","url":null},"contract_submitted_at":"TIME",` +
  `"parties":[{"party_id":"ID","split_type":"percentage","split_value":100.0}],` +
  `"disbursements":[${disbursements}],"funding_status":"funded","covered_amount":20.14,` +
  `"created_at":"TIME","updated_at":"TIME"},"updated_at":"TIME","sequence":${sequence}}`

const disputeText = (
  state: string,
  previous: string,
  change: { withdrawn: string; sequence: number },
): string =>
  `{"dispute_id":"ID","payment_id":"ID","state":"${state}","previous_state":${previous},"reason":"fraudulent",` +
  `"provider":"stripe","provider_reason":"fraudulent","amount":25.00,"currency":"GBP",` +
  `"withdrawn_amount":${change.withdrawn},"due_by":"TIME","updated_at":"TIME","sequence":${change.sequence}}`

const failedShare =
  `{"party_id":"ID","amount":20.14,"status":"failed","transaction_id":"ID","tries":3,"failure":` +
  `{"code":"UNSPECIFIED","message":"The payment failed and the provider gave no reason."}}`

describe('the bytes of', () => {
  it('payment.processing, payment.completed and transaction.updated', async () => {
    const org = await openPayments(t)
    await org.start(mobileMoneyPayin({ client_reference: 'A"7é\u0001', metadata: { rate: 1.5 } }))
    await t.simulator.settle()
    expect(await newest(org.orgId, 'payment.processing')).toBe(mobileMoneyText('processing', 'confirmed', 1))
    expect(await newest(org.orgId, 'payment.completed')).toBe(mobileMoneyText('completed', 'pending', 3))
    expect(await newest(org.orgId, 'transaction.updated')).toBe(mobileMoneyText('completed', 'pending', 3))
  })

  it('payment.failed', async () => {
    const org = await openPayments(t)
    const card_details = { ...cardPayin().card_details, card_number: '4000000000009995' }
    await org.start(cardPayin({ card_details }))
    expect(await newest(org.orgId, 'payment.failed')).toBe(
      `{"payment_id":"ID","transaction_id":"ID","status":"failed","previous_status":"confirmed","amount":25.00,` +
        `"currency":"GBP","target_amount":25.00,"target_currency":"GBP","refunded_amount":0.00,"direction":"inbound",` +
        `"payment_method":"card","provider":null,"client_reference":null,"failure":{"code":"INSUFFICIENT_FUNDS",` +
        `"message":"The account does not have enough funds."},"fee_ids":[],"total_fees":null,"fees_currency":null,` +
        `"metadata":null,"updated_at":"TIME","sequence":1}`,
    )
  })

  it('payment.refunded', async () => {
    const org = await openPayments(t)
    const id = await org.start(cardPayin())
    await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned goods' })
    await t.simulator.settle({ all: true })
    expect(await newest(org.orgId, 'payment.refunded')).toContain(
      `"status":"refunded","previous_status":"completed","amount":25.00,"currency":"GBP","target_amount":25.00,` +
        `"target_currency":"GBP","refunded_amount":25.00,`,
    )
  })

  it('virtual_account.deposit and virtual_account.withdrawal', async () => {
    const org = await openAccounts(t)
    const from = await org.funded(100_000)
    const to = await org.open()
    const texts = { description: 'Rent "May" é\n\u0001\u007f', reference: 'rent/5\\' }
    expect((await org.transfer(from.account_id, to.account_id, 20.5, texts)).status).toBe(201)
    const withdrawal = accountText('debit', { balance: '979.50', sequence: 2 })
    expect(await newest(org.orgId, 'virtual_account.withdrawal')).toBe(withdrawal)
    const deposit = accountText('credit', { balance: '20.50', sequence: 1 })
    expect(await newest(org.orgId, 'virtual_account.deposit')).toBe(deposit)
  })

  it('virtual_account.frozen, virtual_account.unfrozen and kyc.submitted', async () => {
    const org = await freezeAndAnswer(t)
    expect(await newest(org.orgId, 'virtual_account.frozen')).toBe(frozenText)
    expect(await newest(org.orgId, 'virtual_account.unfrozen')).toBe(unfrozenText)
    expect(await newest(org.orgId, 'kyc.submitted')).toBe(submittedText)
  })

  it('kyb.rejected and kyb.approved', async () => {
    const org = await openUnverified(t)
    const kyb = kybOf(t, org)
    const customerId = (await kyb.initiate()).body.data.kyb_customer_id
    await kyb.send({ customerId, answer: 'RED', rejectType: 'RETRY', at: '2031-01-01 00:00:00.000' })
    await kyb.send({ customerId, at: '2031-01-02 00:00:00.000' })
    expect(await newest(org.orgId, 'kyb.rejected')).toBe(
      `{"org_id":"ID","kyb_status":"rejected","reason":"Because.","can_resubmit":true,"updated_at":"TIME","sequence":1}`,
    )
    expect(await newest(org.orgId, 'kyb.approved')).toBe(
      `{"org_id":"ID","kyb_status":"approved","reason":null,"can_resubmit":false,"updated_at":"TIME","sequence":2}`,
    )
  })

  it('dispute.opened, dispute.updated and dispute.closed', async () => {
    const org = await openPayments(t)
    const [attempt] = await org.attempts(await org.start(cardPayin()))
    const { id } = await t.simulator.dispute('stripe', { reference: attempt.data.reference })
    await t.simulator.dispute('stripe', { id, action: 'lose' })
    expect(await newest(org.orgId, 'dispute.opened')).toBe(
      disputeText('needs_response', 'null', { withdrawn: '0.00', sequence: 1 }),
    )
    expect(await newest(org.orgId, 'dispute.updated')).toBe(
      disputeText('needs_response', '"needs_response"', { withdrawn: '25.00', sequence: 2 }),
    )
    expect(await newest(org.orgId, 'dispute.closed')).toBe(
      disputeText('lost', '"needs_response"', { withdrawn: '25.00', sequence: 3 }),
    )
  })

  it('escrow.milestone_updated and escrow.disbursement_failed', async () => {
    const escrow = await openEscrow(t)
    const { orgId } = escrow.org
    // The simulated bank accepts a payout with 14 in the cents and then fails it.
    const parties = [percent(await escrow.payoutParty(), 100)]
    const { milestone_id: milestoneId } = await escrow.milestone(20.14, parties)
    await escrow.fund(20.14)
    await escrow.approve(milestoneId)
    await escrow.disburse(milestoneId)
    expect(await newest(orgId, 'escrow.milestone_updated')).toBe(milestoneText('approved', 3, ''))
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await runDisbursement(t, { orgId, milestoneId })
      await t.simulator.settle({ all: true })
      await runDisbursement(t, { orgId, milestoneId })
      clock.pass(600_000)
    }
    expect(await newest(orgId, 'escrow.disbursement_failed')).toBe(
      milestoneText('disbursing', 4, failedShare),
    )
  })

  it('a manual notification', async () => {
    const org = await openPayments(t)
    const transaction_data = {
      transaction_id: 'T-1',
      status: 'done',
      amount: 7,
      currency: 'JPY',
      updated_at: '2026-11-01T10:00:00+01:00',
    }
    await org.call('POST', '/v1/public/webhooks/notify', { org_id: org.orgId, transaction_data })
    expect(await newest(org.orgId, 'transaction.updated')).toBe(notificationText('7.0'))
  })
})

describe('the OpenAPI document', () => {
  it('describes a webhook for every event type, with the headers that are sent', () => {
    const { webhooks } = documentOf()
    expect(Object.keys(webhooks)).toEqual(eventTypes)
    const secrets = { current: 'whsec_MTIz', previous: undefined }
    const sent = signatureHeaders(secrets, { eventId: 'e', body: '{}', attempt: 1, at: new Date() })
    for (const { post } of Object.values(webhooks)) {
      expect(post.parameters.map(({ name }) => name)).toEqual(Object.keys(sent))
      expect(post.description).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('shows an example of every event that is true to its type', () => {
    const document = documentOf()
    const validators = validatorsOf(document)
    const examples = eventTypes.map((eventType) => {
      const example = document.webhooks[eventType]?.post.requestBody.content['application/json'].example
      expect([eventType, validators[eventType]?.(example)]).toEqual([eventType, true])
      return [eventType, example?.data] as const
    })
    expect(Object.fromEntries(examples)).toMatchObject({
      'payment.completed': { status: 'completed', previous_status: 'processing', refunded_amount: 0 },
      'payment.failed': { status: 'failed', failure: { code: 'INSUFFICIENT_FUNDS' } },
      'payment.refunded': { status: 'refunded', refunded_amount: 1500.25 },
      'kyb.rejected': { kyb_status: 'rejected' },
      'dispute.closed': { state: 'won' },
    })
  })

  it('has a schema that every event of this file satisfies, and no event of another type does', async () => {
    const validators = Object.entries(validatorsOf(documentOf()))
    const stored = await storedEvents()
    // The tests of payout batches and of routing signals hold their own events against the schemas.
    const seenHere = eventTypes.filter((eventType) => !/^(payout_batch|provider)\./.test(eventType))
    expect(new Set(stored.map(({ eventType }) => eventType))).toEqual(new Set(seenHere))
    for (const event of stored)
      for (const [eventType, validate] of validators) {
        const isValid = validate(JSON.parse(eventBody(event)))
        expect([event.data, eventType, isValid]).toEqual([
          event.data,
          eventType,
          eventType === event.eventType,
        ])
      }
  })
})

interface Webhook {
  post: {
    description: string
    parameters: { name: string }[]
    requestBody: {
      content: { 'application/json': { schema: { $ref: string }; example: { data: object } | undefined } }
    }
  }
}

interface EventDocument {
  webhooks: Record<string, Webhook>
}

const documentOf = () => t.app.swagger() as unknown as EventDocument // an OpenAPI 3.1 document

function validatorsOf(document: EventDocument): Record<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv).addFormat('decimal', true)
  ajv.addSchema(document, 'openapi')
  const compiled = Object.entries(document.webhooks).map(([eventType, { post }]) => {
    const { $ref } = post.requestBody.content['application/json'].schema
    return [eventType, ajv.compile({ $ref: `openapi${$ref}` })]
  })
  return Object.fromEntries(compiled)
}
