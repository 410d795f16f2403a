import { z } from 'zod'
import { between } from '../../shared/chance.ts'
import { quote } from '../gang.ts'
import { payeeKind } from '../notebook.ts'
import * as requests from '../requests.ts'
import { escrow, escrowScheme } from './escrow.ts'
import {
  amountOf,
  fundedAccount,
  oneOf,
  somebody,
  virtualAccount,
  type Move,
  type WeightedMove,
} from './move.ts'

const corridorList = Object.values(requests.corridors)
const accounts = '/v1/virtual-accounts'

const openAccount: Move = (gang, chance) => {
  const by = somebody(gang, chance)
  const body = {
    org_id: gang.org.orgId,
    user_id: by.userId,
    currency: oneOf(chance, ['NGN', 'NGN', 'KES', 'UGX']),
    customer_id: `customer-${between(chance, 1, 999)}`,
  }
  return gang.ask({ by, method: 'POST', path: `${accounts}/internal/bank`, body })
}

const transfer: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'POST',
    path: `${accounts}/${virtualAccount(gang, chance)}/transfer`,
    body: {
      to_account_id: virtualAccount(gang, chance),
      amount: amountOf(chance),
      description: 'robbery',
      reference: `transfer-${between(chance, 1, 1e9)}`,
    },
  })

const withdraw: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'POST',
    path: `${accounts}/${virtualAccount(gang, chance)}/withdraw`,
    body: {
      beneficiary_id: gang.notebook.any(chance() < 0.8 ? payeeKind('NG', 'bank') : 'beneficiary_id', chance),
      amount: amountOf(chance),
      description: 'robbery',
      reference: `withdrawal-${between(chance, 1, 1e9)}`,
    },
  })

/** A real deposit into a new account: the thief's own bank sends it. */
const deposit: Move = async (gang, chance) => {
  const body = { org_id: gang.org.orgId, user_id: gang.org.admin.userId, currency: 'NGN' }
  const heard = await gang.ask({ method: 'POST', path: `${accounts}/internal/bank`, body })
  const { data } = opened.safeParse(heard.body)
  if (!data) return
  await fetch(`${gang.installation.simulatorUrl}/paystack/_bank/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account_number: data.data.bank_details.account_number,
      amount: between(chance, 1, 60) * 10_000 * 100,
    }),
  })
  gang.notebook.add(fundedAccount, data.data.account_id)
}

const opened = z.object({
  data: z.object({ account_id: z.string(), bank_details: z.object({ account_number: z.string() }) }),
})

const ramp: Move = async (gang, chance) => {
  const corridor = oneOf(chance, corridorList)
  const isOn = chance() < 0.6
  const [from, to] = isOn ? [corridor.currency, 'USDC'] : ['USDC', corridor.currency]
  const rate = await quote(gang, from, to)
  if (!rate) return
  const fiat = { amount: amountOf(chance), rate: rate.rate }
  const body = isOn
    ? requests.onRamp(corridor, fiat)
    : requests.offRamp(corridor, fiat, gang.notebook.any('beneficiary_id', chance))
  await gang.ask({ by: somebody(gang, chance), method: 'POST', path: '/v1/payments-init/ramp', body })
}

/** What lies in front of a person: the thief decides about its own exceptions. */
const settleException: Move = async (gang, chance) => {
  const path = `/v1/payments/exceptions/${gang.notebook.any('exception_id', chance)}`
  const [verb, body] = oneOf<readonly [string, object]>(chance, [
    ['close', { resolution: 'robbery' }],
    ['release-money', { outcome: oneOf(chance, ['kept', 'returned']), comment: 'robbery' }],
    ['assign-deposit', { account_id: gang.notebook.any('virtual_account_id', chance) }],
    ['return-deposit', { comment: 'robbery' }],
  ])
  await gang.ask({ by: somebody(gang, chance), method: 'POST', path: `${path}/${verb}`, body })
}

export const holdingMoves: readonly WeightedMove[] = [
  [openAccount, 4],
  [transfer, 5],
  [withdraw, 6],
  [deposit, 2],
  [escrow, 4],
  [escrowScheme, 4],
  [ramp, 4],
  [settleException, 3],
]
