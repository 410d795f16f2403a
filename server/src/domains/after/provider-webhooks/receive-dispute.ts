import type { Connector } from '../../../connectors/kit/connector.ts'
import type { ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { isUniqueViolation } from '../../../kernel/db/errors.ts'
import { receiveReport } from '../disputes/receive-report.ts'
import type { Dispute, DisputeDeps, DisputeReport } from '../disputes/record.ts'
import type { Delivery } from './record.ts'
import { insertInboxRow } from './store.ts'

/** Applies a report exactly once, whether webhooks or our own questions bring it, and however often. */
export async function receiveDispute(
  deps: DisputeDeps,
  { account, report, isAsked }: Pick<DisputeReport, 'account' | 'report' | 'isAsked'>,
): Promise<Dispute | undefined> {
  const reference = 'reference' in report.payment ? report.payment.reference : report.payment.providerRef
  const inbox: DisputeReport['inbox'] = (orgId, paymentId, result) =>
    insertInboxRow(orgId, {
      provider: account.provider,
      accountId: account.accountId,
      dedupeKey: report.dedupeKey,
      reference,
      paymentId,
      verdict: 'verified',
      providerStatus: report.providerStatus,
      result: isAsked ? `the provider was asked: ${result}` : result,
    })
  try {
    return await receiveReport(deps, { account, report, inbox, isAsked })
  } catch (error) {
    if (!isUniqueViolation(error, 'inbox_pkey')) throw error
    return undefined
  }
}

const disputesLimit = 100

/** The disputes in a webhook. An unsigned one proves nothing, so we inquire at the provider; a forged one is ignored. */
export async function receiveDisputes(
  deps: DisputeDeps,
  connector: Connector,
  { account, verdict }: Delivery,
  rawBody: Buffer,
): Promise<void> {
  if (verdict === 'forged') return
  for (const report of connector.readDisputes?.(rawBody).slice(0, disputesLimit) ?? []) {
    if (verdict === 'verified') await receiveDispute(deps, { account, report, isAsked: false })
    else await inquireDispute(deps, connector, account, report)
  }
}

async function inquireDispute(
  deps: DisputeDeps,
  connector: Connector,
  account: Delivery['account'],
  { providerRef }: ProviderDispute,
): Promise<void> {
  const inquiry = await connector.inquireDispute?.(providerRef)
  if (inquiry?.kind === 'found')
    await receiveDispute(deps, { account, report: inquiry.dispute, isAsked: true })
}
