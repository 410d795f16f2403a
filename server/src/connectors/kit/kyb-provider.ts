/** Who verifies businesses. What they are sent about people and documents passes through us and is not kept. */
export interface KybProvider {
  readonly name: string
  /** Opens the organisation's file at the provider, or continues it: the organisation's id is the key. */
  start(application: KybApplication): Promise<KybStart>
  verifyWebhook(request: { headers: KybHeaders; rawBody: Buffer }): boolean
  /** Undefined for what says nothing about a verification. Throws for what cannot be read. */
  readWebhook(rawBody: Buffer): KybNews | undefined
}

export type KybHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface KybApplication {
  orgId: string
  company: KybCompany
  people: readonly KybPerson[]
  documents: readonly KybDocument[]
  /** All is there: the provider shall begin its review. */
  isComplete: boolean
}

export interface KybCompany {
  legalName: string
  registrationNumber: string
  country: string
  incorporatedOn?: string | undefined
  legalAddress?: string | undefined
  taxId?: string | undefined
  website?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

export interface KybPerson {
  firstName: string
  lastName: string
  role: 'ubo' | 'shareholder' | 'director' | 'representative'
  sharePercent?: number | undefined
  dateOfBirth?: string | undefined
  country?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

export interface KybDocument {
  type: string
  country: string
  fileName: string
  contentType: string
  content: Buffer
}

export type KybStart =
  | { kind: 'started'; customerId: string; verificationUrl: string }
  /** It said no to what we sent; sending it again is of no use. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string }

export type KybDecision = 'pending' | 'in_review' | 'approved' | 'rejected'

export interface KybNews {
  dedupeKey: string
  customerId: string
  /** Under whose id the file was opened, as the provider repeats it. */
  orgId: string | undefined
  status: KybDecision
  /** For the organisation, in the provider's words. */
  reason: string | null
  /** The organisation may not try again. */
  isFinal: boolean
  /** By the provider's clock: news are put in order by it. */
  at: Date
}
