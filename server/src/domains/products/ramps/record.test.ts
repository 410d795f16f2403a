import { beforeEach, describe, expect, it } from 'vitest'
import { mobileMoneyBeneficiary, mobileMoneyPayin } from '../../../../test/worlds/test-payments.ts'
import {
  offRampBody,
  onRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'

const t = useRamps()
let org: OrgRamps
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
})

describe('200', () => {
  it('the record of an off-ramp shows the payee’s account, and not as the payer’s', async () => {
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    const named = { client_rate: await org.rate('USDC', 'UGX'), beneficiary_name: 'Grace Akello' }
    const { response } = (await org.ramp(offRampBody(payee, named))).body
    const record = await org.record(response.payment_id)
    expect(record.recipient_info).toEqual({ name: 'Grace Akello', crypto_network: 'BASE' })
    expect(record.mobile_money_details).toEqual({ provider: 'MTN', phone_number: '+256783456789' })
    const { first_name, last_name, email } = (await org.call('GET', '/v1/users/me')).body.data
    expect(record.payer_details).toEqual({ name: `${first_name} ${last_name}`, email })
  })

  it('the record of a ramp that is paid from a bank account shows that account and its holder', async () => {
    await org.configure('hybrid', 'NG')
    const { response } = (
      await org.ramp({
        ...onRampBody({
          mobile_money_details: undefined,
          country: 'NG',
          fiat_currency: 'NGN',
          fiat_amount: 153_025,
        }),
        wallet_address: wallet,
        client_rate: await org.rate('NGN', 'USDC'),
        beneficiary_name: 'Ngozi Eze',
        bank_details: { account_number: '0690000040', bank_code: '044', bank_name: 'Access Bank' },
      })
    ).body
    const record = await org.record(response.payment_id)
    expect(record.payer_details.name).toBe('Ngozi Eze')
    expect(record.bank_account).toMatchObject({ account_number: '0690000040', bank_code: '044' })
    const entries = await org.timeline(response.payment_id)
    expect(entries.find((entry) => entry.kind === 'ramp').data).toMatchObject({
      payer_name: 'Ngozi Eze',
      payer_account: '******0040',
    })
  })

  it('the timeline shows the wallet, the network, who pays, and each leg', async () => {
    const { response } = (
      await org.ramp({ ...onRampBody(), wallet_address: wallet, client_rate: await org.rate('UGX', 'USDC') })
    ).body
    await org.advanceRamp(response.payment_id)
    const entries = await org.timeline(response.payment_id)
    const [ramp] = entries.filter((entry) => entry.kind === 'ramp')
    expect(ramp).toMatchObject({
      entry_id: 'ramp',
      summary: expect.stringMatching(/^on_ramp of [\d.]+ UGX to [\d.]+ USDC on BASE$/),
      data: {
        wallet_address: wallet,
        crypto_network: 'BASE',
        payer_name: expect.any(String),
        payer_account: expect.stringMatching(/^\*+\d{4}$/),
      },
    })
    expect(entries.filter((entry) => entry.kind === 'leg')[0]).toMatchObject({
      entry_id: 'leg.1',
      summary: expect.stringMatching(/^collection of [\d.]+ UGX at \w+: \w+$/),
      data: { leg_no: 1, provider: expect.any(String), reference: null },
    })
    expect(JSON.stringify(entries)).not.toContain('783456789')
  })

  it('the timeline of a payment that is no ramp has neither', async () => {
    const id = await org.start(mobileMoneyPayin())
    const kinds = (await org.timeline(id)).map((entry) => entry.kind)
    expect(kinds.filter((kind) => kind === 'ramp' || kind === 'leg')).toEqual([])
  })
})
