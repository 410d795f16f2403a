import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  mobileMoneyBeneficiary,
  mobileMoneyPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let banked: string
let mobile: string
beforeAll(async () => {
  org = await openPayments(t)
  banked = await org.addBeneficiary(bankBeneficiary())
  mobile = await org.addBeneficiary(mobileMoneyBeneficiary())
})

const british = (change: object = {}): Json => ({
  ...bankPayout(banked, { currency: 'GBP', target_currency: 'GBP', country: 'GB' }),
  ...change,
})

describe('200', () => {
  it('to a bank: under way at once, completed when the bank has it, the hold posted', async () => {
    const answer = await org.initiate(bankPayout(banked, { description: 'March' }))
    expect(answer.body.response).toMatchObject({
      success: true,
      status: 'processing',
      next_action: 'check_status',
      provider: 'paystack',
    })
    const id = answer.body.response.payment_id
    expect(await org.postings(id)).toMatchObject([{ kind: 'payout.hold', phase: 'pending', minor: '150075' }])
    await t.simulator.settle()
    expect(await org.record(id)).toMatchObject({
      status: 'completed',
      direction: 'outbound',
      beneficiary_id: banked,
      payout_initiated: true,
      recipient_info: { name: 'Ngozi Eze' },
      bank_account: { account_number: '0690000049', bank_code: '044', bank_name: 'Access Bank' },
    })
    expect(await org.postings(id)).toEqual([
      {
        kind: 'payout.hold',
        phase: 'pending',
        debit: 'available',
        credit: 'outgoing',
        currency: 'NGN',
        minor: '150075',
      },
      {
        kind: 'payout.hold.resolved',
        phase: 'post',
        debit: 'available',
        credit: 'outgoing',
        currency: 'NGN',
        minor: '150075',
      },
      {
        kind: 'payout.settled',
        phase: 'posted',
        debit: 'outgoing',
        credit: 'provider:paystack',
        currency: 'NGN',
        minor: '150075',
      },
    ])
    expect(await org.accepted(id)).toMatchObject([{ kind: 'payout', amount: '1500.75', currency: 'NGN' }])
  })

  it('to mobile money: completed by the provider’s word', async () => {
    const id = await org.start(mobileMoneyPayout(mobile))
    await t.simulator.settle()
    const record = await org.record(id)
    expect(record).toMatchObject({ status: 'completed', provider: 'pawapay', direction: 'outbound' })
    expect(record.mobile_money_details).toEqual({ provider: 'MTN', phone_number: '+256783456789' })
    expect(await org.accepted(id)).toMatchObject([{ kind: 'payout', provider: 'pawapay', amount: '5000' }])
  })

  it('by hand: the payout waits on the list of staff', async () => {
    const answer = await org.initiate(british())
    expect(answer.body.response).toMatchObject({ status: 'processing', provider: 'manual' })
    expect(await org.accepted(answer.body.response.payment_id)).toEqual([])
  })

  it('a payout that fails at the provider releases its hold', async () => {
    const id = await org.start(bankPayout(banked, { amount: 20.14, target_amount: 20.14 }))
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('failed')
    expect((await org.postings(id)).map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      'payout.hold pending',
      'payout.hold.resolved void',
    ])
  })

  it('a payout that completes after all, late, is completed, posted and flagged', async () => {
    const id = await org.start(bankPayout(banked, { amount: 20.29, target_amount: 20.29 }))
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('failed')
    await t.simulator.settle()
    expect(await org.record(id)).toMatchObject({ status: 'completed', failure: null })
    expect((await org.postings(id)).map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      'payout.hold pending',
      'payout.hold.resolved void',
      'payout.late posted',
      'payout.settled posted',
    ])
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([
      { kind: 'late_success', status: 'open' },
    ])
  })

  it('a payout that is returned after its completion is refunded, and an exception informs', async () => {
    const id = await org.start(bankPayout(banked, { amount: 20.25, target_amount: 20.25 }))
    await t.simulator.settle({ all: true })
    expect((await org.record(id)).status).toBe('refunded')
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'payout_returned' }])
  })

  it('across currencies the provider pays the target amount, and the source amount is held', async () => {
    const quote = await org.call(
      'GET',
      '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=NGN',
    )
    const { org_rate_id, rate } = quote.body.data
    const target_amount = Number((10 * rate).toFixed(2))
    const body = bankPayout(banked, { amount: 10, currency: 'USD', target_amount, org_rate_id })
    const id = await org.start(body)
    expect(await org.accepted(id)).toMatchObject([{ currency: 'NGN', amount: target_amount.toFixed(2) }])
    await t.simulator.settle()
    const minor = String(Math.round(target_amount * 100))
    expect(await org.postings(id)).toMatchObject([
      { kind: 'fx.bought', debit: 'fx:USD/NGN', credit: 'outgoing', currency: 'NGN', minor },
      { kind: 'fx.sold', debit: 'outgoing', credit: 'fx:USD/NGN', currency: 'USD', minor: '1000' },
      { kind: 'payout.hold', currency: 'USD', minor: '1000' },
      { kind: 'payout.hold.resolved', phase: 'post', currency: 'USD', minor: '1000' },
      { kind: 'payout.settled', debit: 'outgoing', credit: 'provider:paystack', currency: 'NGN', minor },
    ])
    expect((await org.record(id)).payment_path_method).toBe('intermediary')
  })

  it('without a country the payout is routed by the beneficiary’s', async () => {
    const id = await org.start(mobileMoneyPayout(mobile, { country: undefined }))
    expect((await org.record(id)).region_id).toBe('UG')
  })
})

describe('400', () => {
  const refuse = async (body: Json): Promise<Json> => {
    const before = t.simulator.log().length
    const answer = await org.initiate(body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(t.simulator.log()).toHaveLength(before)
    return answer.body
  }
  const other = { account_number: '0690000057', bank_code: '044', bank_name: 'Access Bank' }

  it('a beneficiary that does not exist', async () => {
    const error = await refuse(bankPayout('0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'))
    expect(error.message).toContain('beneficiary_id')
  })

  it('a beneficiary of another organisation gets the same answer as an unknown one', async () => {
    const stranger = await openPayments(t)
    const theirs = await stranger.addBeneficiary(bankBeneficiary())
    const [foreign, unknown] = [
      await refuse(bankPayout(theirs)),
      await refuse(bankPayout('0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f')),
    ]
    expect(foreign.message).toBe(unknown.message)
  })

  it('a bank account that is not the beneficiary’s', async () => {
    const error = await refuse(bankPayout(banked, { bank_account: other }))
    expect(error.message).toContain('bank_account.account_number')
  })

  it('a bank that is not the beneficiary’s', async () => {
    const bank_account = { account_number: '0690000049', bank_code: '058', bank_name: 'Guaranty Trust Bank' }
    const error = await refuse(bankPayout(banked, { bank_account }))
    expect(error.message).toContain('bank_account.bank_code')
  })

  it('a phone number that is not the beneficiary’s', async () => {
    const mobile_money_details = { provider: 'MTN', phone_number: '256783456700' }
    const error = await refuse(mobileMoneyPayout(mobile, { mobile_money_details }))
    expect(error.message).toContain('mobile_money_details.phone_number')
  })

  it('a phone number for a beneficiary that has only a bank account', async () => {
    const ugandan = await org.addBeneficiary(bankBeneficiary({ country: 'UG', currency: 'UGX' }))
    expect((await refuse(mobileMoneyPayout(ugandan))).message).toContain('beneficiary')
  })

  it('a bank account for a beneficiary that has only a phone number', async () => {
    expect((await refuse(bankPayout(mobile))).message).toContain('beneficiary')
  })

  it('a bank account that is not the registered IBAN', async () => {
    const german = { iban: 'DE89370400440532013000', bank_name: 'Commerzbank' }
    const beneficiary = await org.addBeneficiary(bankBeneficiary({ bank_details: german }))
    expect((await refuse(bankPayout(beneficiary))).message).toContain('bank_account.account_number')
  })
})
