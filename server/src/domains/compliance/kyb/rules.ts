import type { KybNews } from '../../../connectors/kit/kyb-provider.ts'
import type { KybStatus, OrganizationKyb } from '../../people/organizations/record.ts'

/** The statuses in which an organisation may start the verification, or start it again. */
export const mayInitiate: Readonly<Record<KybStatus, boolean>> = {
  not_started: true,
  pending: true,
  in_review: false,
  approved: false,
  rejected: true,
}

const isDecided = (status: KybStatus): boolean => status === 'approved' || status === 'rejected'

/** Ignores updates older than the last applied one. At the same instant, only a decision replaces an open status. */
export function isNews(
  known: Pick<OrganizationKyb, 'status' | 'newsAt'>,
  news: Pick<KybNews, 'at' | 'status'>,
): boolean {
  if (known.newsAt === null || news.at > known.newsAt) return true
  return news.at.getTime() === known.newsAt.getTime() && isDecided(news.status) && !isDecided(known.status)
}

/** Whether the people whom an organisation has named need not be screened any more. */
export const mayForget: Readonly<Record<KybStatus, boolean>> = {
  not_started: true,
  pending: false,
  in_review: false,
  approved: false,
  rejected: true,
}
