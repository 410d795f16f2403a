import type { KybDecision, KybNews } from '../../connectors/kit/kyb-provider.ts'

export type KybStatus = 'not_started' | KybDecision

/** From where an organisation may (again) hand in what it is verified by. */
export const mayInitiate: Readonly<Record<KybStatus, boolean>> = {
  not_started: true,
  pending: true,
  in_review: false,
  approved: false,
  rejected: true,
}

export interface KybState {
  status: KybStatus
  /** By the provider's clock, of what was applied last. */
  newsAt: Date | null
}

const isDecided = (status: KybStatus): boolean => status === 'approved' || status === 'rejected'

/** What is older than what we know is no news; of the same moment, only a decision about what is undecided. */
export function isNews(known: KybState, news: Pick<KybNews, 'at' | 'status'>): boolean {
  if (known.newsAt === null || news.at > known.newsAt) return true
  return news.at.getTime() === known.newsAt.getTime() && isDecided(news.status) && !isDecided(known.status)
}
