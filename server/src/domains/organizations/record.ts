import type { Feature } from '../../lib/access.ts'

export interface Organization {
  orgId: string
  name: string
  country: string
  features: string[]
  kybStatus: string
  kybCustomerId: string | null
  kybReason: string | null
  payoutsRequireKyb: boolean
  rateMarginBps: number
  returnUrlHosts: string[]
  brandColor: string | null
  hasLogo: boolean
  createdAt: Date
  updatedAt: Date
}

export interface OrganizationChange {
  name?: string | undefined
  country?: string | undefined
  features?: Feature[] | undefined
  payoutsRequireKyb?: boolean | undefined
  rateMarginBps?: number | undefined
  returnUrlHosts?: string[] | undefined
  brandColor?: string | null | undefined
  logo?: Buffer | null | undefined
}
