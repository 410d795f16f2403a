import { z } from 'zod'
import { wireAmount } from '../../../../lib/money/money.ts'
import { ok, success, uuid, wireDecimal } from '../../../../lib/requests/wire.ts'
import { wireDirections } from '../../record.ts'
import type { CostSum, FeeSum } from './record.ts'

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

export const listFeesQuery = z.object({ org_id: uuid.optional(), from: moment, to: moment })

const sum = {
  currency: z.string(),
  direction: z.enum(['payin', 'payout']),
  payment_method: z.string(),
  provider: z.string(),
  payments: z.int(),
}
export const feesResponse = success(
  z.object({
    fees: z.array(
      z.object({ ...sum, custody: z.enum(['pooled', 'own']), charged: wireDecimal, returned: wireDecimal }),
    ),
    provider_costs: z.array(z.object({ ...sum, cost: wireDecimal })),
  }),
)

export const toFees = ({
  fees,
  costs,
}: {
  fees: readonly FeeSum[]
  costs: readonly CostSum[]
}): z.input<typeof feesResponse> =>
  ok('Fees and the costs of providers.', {
    fees: fees.map(({ chargedMinor, returnedMinor, method: by, ...row }) => ({
      ...row,
      direction: wireDirections[row.direction],
      payment_method: by,
      charged: wireAmount(chargedMinor, row.currency),
      returned: wireAmount(returnedMinor, row.currency),
    })),
    provider_costs: costs.map(({ costMinor, method: by, ...row }) => ({
      ...row,
      direction: wireDirections[row.direction],
      payment_method: by,
      cost: wireAmount(costMinor, row.currency),
    })),
  })
