import type { Feature, Membership, Role } from '../../../lib/access.ts'

export interface Member extends Membership {
  orgId: string
  userId: string
  email: string
  firstName: string
  lastName: string
  country: string | null
  createdAt: Date
  updatedAt: Date
}

export interface NewMember {
  userId: string
  email: string
  firstName: string
  lastName: string
  country: string | null
  role: Role
}

export interface MembershipWithFeatures extends Membership {
  features: Feature[]
}

export interface User {
  org_id: string
  user_id: string
  email: string
  first_name: string
  last_name: string
  country: string | null
  role: string
  created_at: Date
  updated_at: Date
}
