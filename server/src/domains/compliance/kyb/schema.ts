import { z } from 'zod'
import type { KybApplication } from '../../../connectors/kit/kyb-provider.ts'
import { countryCode, shortText, success, uuid } from '../../../lib/requests/wire.ts'
import type { StartedKyb } from './record.ts'

export const orgParams = z.object({ org_id: uuid })

const peopleLimit = 20
const documentsLimit = 10
const documentCharacters = 7 * 1024 * 1024
/** The body limit of this route: documents make requests larger than usual. */
export const initiateBytesLimit = 15 * 1024 * 1024

const company = z.object({
  legal_name: shortText,
  registration_number: shortText,
  country: countryCode,
  incorporated_on: z.iso.date().optional(),
  legal_address: z.string().max(500).optional(),
  tax_id: shortText.optional(),
  website: z.url().max(500).optional(),
  email: z.email().max(320).optional(),
  phone: z.string().max(40).optional(),
})

const person = z.object({
  first_name: shortText,
  last_name: shortText,
  role: z.enum(['ubo', 'shareholder', 'director', 'representative']),
  share_percent: z.number().min(0).max(100).optional(),
  date_of_birth: z.iso.date().optional(),
  country: countryCode.optional(),
  email: z.email().max(320).optional(),
  phone: z.string().max(40).optional(),
})

const document = z.object({
  type: z
    .string()
    .regex(/^[A-Z0-9_]{1,60}$/)
    .meta({ example: 'COMPANY_DOC' }),
  country: countryCode,
  file_name: z
    .string()
    .regex(
      /^[A-Za-z0-9._ -]{1,100}$/,
      'must consist of letters, digits, dots, dashes and blanks, such as statutes.pdf',
    ),
  content_type: z.enum(['application/pdf', 'image/jpeg', 'image/png']),
  content: z.base64().min(4).max(documentCharacters).meta({ description: 'The file, in base64.' }),
})

export const initiateKybBody = z.object({
  company,
  people: z.array(person).max(peopleLimit).default([]),
  documents: z.array(document).max(documentsLimit).default([]),
  submit: z.boolean().default(false).meta({
    description: 'Submit for review now. Otherwise the application has to be completed on verification_url.',
  }),
})

export const initiateKybResponse = success(
  z
    .object({
      org_id: uuid,
      kyb_status: z.enum(['not_started', 'pending', 'in_review', 'approved', 'rejected']),
      kyb_customer_id: z.string(),
      provider: z.string(),
      verification_url: z.string(),
    })
    .meta({ id: 'KybStart' }),
)

export const received = z.object({ status: z.literal('success'), message: z.string() })

export const toApplication = (orgId: string, body: z.infer<typeof initiateKybBody>): KybApplication => ({
  orgId,
  company: {
    legalName: body.company.legal_name,
    registrationNumber: body.company.registration_number,
    country: body.company.country,
    incorporatedOn: body.company.incorporated_on,
    legalAddress: body.company.legal_address,
    taxId: body.company.tax_id,
    website: body.company.website,
    email: body.company.email,
    phone: body.company.phone,
  },
  people: body.people.map((one) => ({
    firstName: one.first_name,
    lastName: one.last_name,
    role: one.role,
    sharePercent: one.share_percent,
    dateOfBirth: one.date_of_birth,
    country: one.country,
    email: one.email,
    phone: one.phone,
  })),
  documents: body.documents.map((one) => ({
    type: one.type,
    country: one.country,
    fileName: one.file_name,
    contentType: one.content_type,
    content: Buffer.from(one.content, 'base64'),
  })),
  isComplete: body.submit,
})

export const toStartedKyb = (started: StartedKyb): z.input<typeof initiateKybResponse>['data'] => ({
  org_id: started.orgId,
  kyb_status: started.status,
  kyb_customer_id: started.customerId,
  provider: started.provider,
  verification_url: started.verificationUrl,
})
