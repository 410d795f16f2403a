/** Verifies businesses. Data about people and documents is passed on to the provider and never stored. */
export interface KybProvider {
  readonly name: string
  /** Opens or continues the application at the provider, with the organisation's id as its key. */
  start(application: KybApplication): Promise<KybStart>
  verifyWebhook(request: { headers: KybHeaders; rawBody: Buffer }): boolean
  /** Undefined for events that do not concern a verification. Throws if the body cannot be read. */
  readWebhook(rawBody: Buffer): KybNews | undefined
}

export type KybHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface KybApplication {
  orgId: string
  company: KybCompany
  people: readonly KybPerson[]
  documents: readonly KybDocument[]
  /** Everything has been submitted, so the provider can begin its review. */
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
  /** The provider rejected the request; a retry cannot succeed. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string }

export type KybDecision = 'pending' | 'in_review' | 'approved' | 'rejected'

export interface KybNews {
  dedupeKey: string
  customerId: string
  /** The organisation's id, as the provider returns it. */
  orgId: string | undefined
  status: KybDecision
  /** The provider's explanation for the organisation. */
  reason: string | null
  /** The organisation may not apply again. */
  isFinal: boolean
  /** The provider's time of the event, by which events are ordered. */
  at: Date
}
