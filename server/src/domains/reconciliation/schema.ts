import { z } from 'zod'
import { providerNames } from '../../connectors/registry.ts'
import { dateTime, ok, success, uuid } from '../../lib/wire.ts'
import { suggestedActions } from '../exceptions/describe-kinds.ts'
import type { Reconciliation } from './record.ts'
import { findingKinds } from './rules.ts'

export const reconcileBody = z.object({
  provider: z.enum(providerNames),
  account_id: uuid.optional().meta({ description: 'One of several accounts at the provider.' }),
  since: z.iso.datetime({ offset: true }),
})

export const reconciliationResponse = success(
  z.object({
    provider: z.string(),
    since: dateTime,
    checked: z.int(),
    findings: z.array(
      z.object({
        kind: z.enum(findingKinds),
        reference: z.string(),
        payment_id: uuid.nullable(),
        summary: z.string(),
        suggested_action: z.string(),
      }),
    ),
  }),
)

export const toReconciliation = (result: Reconciliation): z.input<typeof reconciliationResponse> =>
  ok('Reconciled. Findings are in the list of exceptions.', {
    provider: result.provider,
    since: result.since.toISOString(),
    checked: result.checked,
    findings: result.findings.map((finding) => ({
      kind: finding.kind,
      reference: finding.reference,
      payment_id: finding.paymentId,
      summary: finding.summary,
      suggested_action: suggestedActions[finding.kind],
    })),
  })
