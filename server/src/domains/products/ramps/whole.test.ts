import { beforeEach, describe, expect, it } from 'vitest'
import { auditAcrossOrgs, formatFindings } from '../../../kernel/ledger/audit.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { transitions } from '../../payments/lifecycle/rules.ts'
import { advanceRamp } from './advance-ramp.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

/** The end of the wallet's address selects the outcome at the simulated provider. */
async function rampTo(wallet_address: string, status: string): Promise<string> {
  const body = { ...(await wholeRampBody(org)), wallet_address }
  const id = (await org.call('POST', '/v1/payments-init/ramp', body)).body.response.payment_id
  await until(`the ramp to be ${status}`, async () => {
    await t.simulator.settle({ all: true })
    return (await org.record(id)).status === status
  })
  return id
}

async function expectBooksToBalance(): Promise<void> {
  const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
  expect(formatFindings(findings.filter((finding) => finding.violations > 0))).not.toContain(':')
}

describe('a provider that does both legs', () => {
  it('cannot deliver and returns the fiat: refunded, and nothing is left in the ramp account', async () => {
    const id = await rampTo('0x000000000000000000000000000000000000dead', 'refunded')
    expect(await org.record(id)).toMatchObject({ provider: 'yellowcard', refunded_amount: 153_025 })
    expect(await org.exceptions(`&payment_id=${id}`)).toEqual([])
    await expectBooksToBalance()
  })

  it('can neither deliver nor return it: failed, with an exception that names the amount and what to do', async () => {
    const id = await rampTo('0x000000000000000000000000000000000000beef', 'failed')
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([
      {
        kind: 'ramp_not_delivered',
        summary: expect.stringContaining('153025.00 NGN'),
        suggested_action: expect.stringMatching(/\w/),
      },
    ])
    await expectBooksToBalance()
  })

  it('an off-ramp whose answer was lost says where to pay once the provider was asked', async () => {
    t.simulator.setFaults('yellowcard', [{ on: 'payout', fault: 'cut_answer' }])
    const { wallet_address: _wallet, ...whole } = await wholeRampBody(org)
    const rates = '/v1/organizations/admin/exchange-rate?fromCurrency=USDC&toCurrency=NGN'
    const answer = await org.call('POST', '/v1/payments-init/ramp', {
      ...whole,
      client_rate: (await org.call('GET', rates)).body.data.rate,
      beneficiary_name: 'Tunde Bello',
      bank_details: { account_number: '1111111111', bank_code: '044' },
    })
    const { payment_id: paymentId, next_action: nextAction } = answer.body.response
    expect(nextAction).toBe('check_status')
    const { loaded } = await advanceRamp(t.deps, { orgId: org.orgId, paymentId })
    expect(loaded.payment.nextAction).toMatchObject({
      type: 'crypto_transfer',
      instructions: { address: expect.stringMatching(/^0x/), network: 'BASE' },
    })
  })
})
