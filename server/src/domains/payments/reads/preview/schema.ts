import { z } from 'zod'
import { wireAmount } from '../../../../lib/money/money.ts'
import { ok, success, uuid, wireDecimal } from '../../../../lib/requests/wire.ts'
import { describeCause } from '../../../pricing/approval-policies/rules.ts'
import { payoutPolicy, toPayoutPolicy } from '../../../pricing/approval-policies/schema.ts'
import { wireDirections } from '../../record.ts'
import {
  inTriedOrder,
  routeFigures,
  routingDecision,
  toDecision,
  toFigures,
} from '../../initiation/show-decision.ts'
import { toFeeFields } from '../../schema.ts'
import type { Preview } from './record.ts'

const custody = z.enum(['pooled', 'own'])

const preview = z
  .object({
    would_start: z.boolean().meta({ description: 'False when an initiation would answer with an error.' }),
    problems: z.array(z.object({ code: z.string(), status: z.int(), message: z.string() })),
    direction: z.enum(['payin', 'payout']),
    payment_method: z.string(),
    country: z.string(),
    amount: wireDecimal,
    currency: z.string(),
    target_amount: wireDecimal,
    target_currency: z.string(),
    provider: z.string().nullable().meta({ description: 'The provider that would be tried first.' }),
    custody: custody.nullable(),
    fee_ids: z.array(uuid),
    total_fees: wireDecimal.nullable(),
    fees_currency: z.string().nullable(),
    candidates: z.array(
      z.object({ position: z.int(), provider: z.string(), config_id: uuid, account_id: uuid, custody }),
    ),
    considered: z.array(
      z.object({
        provider: z.string(),
        config_id: uuid,
        account_id: uuid.nullable(),
        custody: custody.nullable(),
        taken: z.boolean(),
        reason: z.string(),
        figures: routeFigures.optional(),
      }),
    ),
    routing: routingDecision,
    balance: z
      .object({
        currency: z.string(),
        required: wireDecimal,
        spendable: wireDecimal,
        is_covered: z.boolean(),
      })
      .nullable(),
    approval: z.object({
      is_needed: z.boolean(),
      reason: z.string().nullable(),
      policy: payoutPolicy.nullable(),
    }),
  })
  .meta({ id: 'PaymentPreview' })

export const previewResponse = success(preview)

export function toPreview(result: Preview): z.input<typeof previewResponse> {
  const { draft, routing, approval, problems } = result
  const message =
    problems.length === 0
      ? 'This payment could be started. Nothing was sent or stored.'
      : 'This payment would be refused. Nothing was sent or stored.'
  return ok(message, {
    would_start: problems.length === 0,
    problems: problems.map(({ code, status, message: text }) => ({ code, status, message: text })),
    direction: wireDirections[draft.direction],
    payment_method: draft.method,
    country: draft.country,
    amount: wireAmount(draft.source.amountMinor, draft.source.currency),
    currency: draft.source.currency,
    target_amount: wireAmount(draft.target.amountMinor, draft.target.currency),
    target_currency: draft.target.currency,
    provider: routing.candidates[0]?.provider ?? null,
    custody: result.custody,
    ...toFeeFields(result.fee),
    candidates: routing.candidates.map((route, index) => ({
      position: index + 1,
      provider: route.provider,
      config_id: route.configId,
      account_id: route.accountId,
      custody: route.custody,
    })),
    considered: inTriedOrder(routing).map((route) => ({
      provider: route.provider,
      config_id: route.configId,
      account_id: route.accountId,
      custody: route.custody,
      taken: route.taken,
      reason: route.reason,
      ...(route.figures && { figures: toFigures(route.figures) }),
    })),
    routing: toDecision(routing),
    balance: result.funds && toBalance(result.funds),
    approval: {
      is_needed: approval !== undefined,
      reason: approval ? describeCause(approval) : null,
      policy: approval ? toPayoutPolicy(approval.policy) : null,
    },
  })
}

const toBalance = ({ currency, requiredMinor, spendableMinor }: NonNullable<Preview['funds']>) => ({
  currency,
  required: wireAmount(requiredMinor, currency),
  spendable: wireAmount(spendableMinor, currency),
  is_covered: spendableMinor >= requiredMinor,
})
