import type { Feature, Membership, Role } from '../../../../lib/requests/access.ts'

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

/** One of the organisations that a person is a member of. */
export interface MembershipOfPerson {
  orgId: string
  organizationName: string
  membership: Membership
  features: Feature[]
}
