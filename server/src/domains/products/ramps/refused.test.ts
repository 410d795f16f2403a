import { beforeEach, describe, expect, it } from 'vitest'
import { bankBeneficiary, mobileMoneyBeneficiary } from '../../../../test/worlds/test-payments.ts'
import {
  offRampBody,
  onRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'

const t = useRamps()
let org: OrgRamps
let onRate: number
let offRate: number
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
  onRate = await org.rate('UGX', 'USDC')
  offRate = await org.rate('USDC', 'UGX')
})

const access = { accountNumber: '0690000040', bankCode: '044', bankName: 'Access Bank' }
const mtn = { provider: 'MTN', phone_number: '256783456789' }
const on = (change: object = {}) =>
  org.ramp(onRampBody({ wallet_address: wallet, client_rate: onRate, ...change }))

describe('400', () => {
  it.each([
    ['0.51 % above', 1.0051],
    ['0.51 % below', 0.9949],
  ])('a rate that has drifted by %s, in both directions: RATE_MISMATCH', async (_how, factor) => {
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    const answers = [
      await on({ client_rate: onRate * factor }),
      await org.ramp(offRampBody(payee, { client_rate: offRate * factor })),
    ]
    for (const { status, body } of answers) {
      expect([status, body.code, body.error]).toEqual([400, 'RATE_MISMATCH', 'Bad Request'])
      expect(body.message).toContain('client_rate')
    }
  })

  it('a rate that was fetched the wrong way round: RATE_MISMATCH', async () => {
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    expect((await on({ client_rate: offRate })).body.code).toBe('RATE_MISMATCH')
    const answer = await org.ramp(offRampBody(payee, { client_rate: onRate }))
    expect(answer.body.code).toBe('RATE_MISMATCH')
  })

  it.each([
    [{ fiat_currency: undefined }, 'fiat_currency'],
    [{ fiat_amount: undefined }, 'fiat_amount'],
    [{ client_rate: undefined }, 'client_rate'],
    [{ crypto_currency: undefined }, 'crypto_currency'],
    [{ crypto_network: undefined }, 'crypto_network'],
    [{ country: undefined }, 'country'],
    [{ wallet_address: undefined }, 'wallet_address'],
    [{ fiat_currency: 'USDC' }, 'fiat_currency'],
    [{ crypto_currency: 'UGX' }, 'crypto_currency'],
    [{ fiat_amount: 0 }, 'fiat_amount'],
    [{ fiat_amount: 1.5 }, 'fiat_amount'],
    [{ client_rate: -1 }, 'client_rate'],
    [{ client_rate: 'much' }, 'client_rate'],
    [{ crypto_network: 'MOON' }, 'crypto_network'],
    [{ crypto_network: 'TRON' }, 'crypto_network'],
    [{ wallet_address: `${wallet.slice(0, -1)}D` }, 'wallet_address'],
    [{ wallet_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, 'wallet_address'],
    [{ customer_type: 'business' }, 'business_id'],
    [{ customer_type: 'business', business_id: 'B-1' }, 'business_name'],
    [{ direction: 'off_ramp' }, 'wallet_address'],
    [
      { mobile_money_details: { provider: 'NOBODY', phone_number: '256783456789' } },
      'mobile_money_details.provider',
    ],
  ])('%j', async (change, path) => {
    const { status, body } = await on(change)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  it('neither a wallet nor a payee, without a direction', async () => {
    const { status, body } = await on({
      direction: undefined,
      wallet_address: undefined,
      mobile_money_details: undefined,
    })
    expect([status, body.details[0].path]).toEqual([400, 'beneficiary_id'])
  })

  it.each([
    ['an account that the beneficiary does not have', { destination: access }],
    [
      'a number that is not the beneficiary’s',
      { mobile_money_details: { ...mtn, phone_number: '0783000000' } },
    ],
  ])('a second payee beside a beneficiary: %s', async (_what, change) => {
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    const answer = await org.ramp(offRampBody(payee, { client_rate: offRate, ...change }))
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each([
    ['mobile_money_details', { destination: access, mobile_money_details: mtn }],
    [
      'destination.accountNumber',
      { destination: access, bank_details: { account_number: '0123456789', bank_code: '044' } },
    ],
  ])('two payees in the body: %s', async (path, change) => {
    const payees = { beneficiary_id: undefined, beneficiary_name: 'Ngozi Eze', ...change }
    const { status, body } = await org.ramp(offRampBody('', { client_rate: offRate, ...payees }))
    expect([status, body.details[0].path]).toEqual([400, path])
  })

  it('a beneficiary of another organisation is as unknown as none', async () => {
    const stranger = await openRamps(t)
    const payee = await stranger.addBeneficiary(bankBeneficiary())
    const answer = await org.ramp(offRampBody(payee, { client_rate: offRate }))
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})
