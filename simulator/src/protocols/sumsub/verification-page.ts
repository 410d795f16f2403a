import type { Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { decisionOf, renderPage } from '../../core/hosted-page.ts'
import type { Applicant, ReviewResult, Sumsub } from './applicants.ts'
import { announce } from './events.ts'

const DECISIONS: Readonly<Record<string, { label: string; result: ReviewResult }>> = {
  approve: { label: 'Submit; the review approves', result: { reviewAnswer: 'GREEN' } },
  retry: {
    label: 'Submit; the review asks to try again',
    result: {
      reviewAnswer: 'RED',
      reviewRejectType: 'RETRY',
      moderationComment: 'The certificate of incorporation cannot be read.',
    },
  },
  reject: {
    label: 'Submit; the review rejects for good',
    result: {
      reviewAnswer: 'RED',
      reviewRejectType: 'FINAL',
      moderationComment: 'We cannot verify this business.',
    },
  },
}

export function showPage(sumsub: Sumsub, call: OpenCall): Answer {
  const applicant = sumsub.applicants.get(call.params['applicantId'] ?? '')
  return applicant === undefined ? notFound() : page(applicant)
}

/** Simulates the whole verification: the submission and the result of the review. */
export async function decideOnPage(sumsub: Sumsub, call: OpenCall): Promise<Answer> {
  const applicant = sumsub.applicants.get(call.params['applicantId'] ?? '')
  const decision = DECISIONS[decisionOf(call) ?? '']
  if (applicant === undefined) return notFound()
  if (decision === undefined) return page(applicant)
  const submitted: Applicant = { ...applicant, reviewStatus: 'pending' }
  await announce(sumsub, submitted, 'applicantPending')
  const reviewed: Applicant = { ...submitted, reviewStatus: 'completed', reviewResult: decision.result }
  sumsub.applicants.put(applicant.id, reviewed)
  await announce(sumsub, reviewed, 'applicantReviewed')
  return page(reviewed)
}

function page(applicant: Applicant): Answer {
  const { reviewResult } = applicant
  const outcome = reviewResult
    ? `${reviewResult.reviewAnswer} ${reviewResult.reviewRejectType ?? ''}`.trim()
    : 'none yet'
  return renderPage({
    title: 'Verify a business',
    facts: [
      ['Business', applicant.companyName],
      ['Applicant', applicant.id],
      ['Status', applicant.reviewStatus],
      ['Review', outcome],
    ],
    buttons: Object.entries(DECISIONS).map(([value, { label }]) => ({ value, label })),
  })
}

const notFound = (): Answer => renderPage({ title: 'No such applicant', facts: [], buttons: [] }, 404)
