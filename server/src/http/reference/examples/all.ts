import { accountExamples } from './accounts.ts'
import type { Examples } from './example.ts'
import { findingExamples } from './findings.ts'
import { organizationExamples } from './organizations.ts'
import { paymentExamples } from './payments.ts'

export const requestExamples: Examples = {
  ...paymentExamples,
  ...accountExamples,
  ...organizationExamples,
  ...findingExamples,
}
