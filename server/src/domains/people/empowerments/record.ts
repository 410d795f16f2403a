import type { Tx } from '../../../kernel/db/database.ts'

/** Somebody gave a person a membership or permissions, and no unrelated second person agreed to it. */
export interface Empowerment {
  userId: string
  empoweredBy: string
  /** By somebody of the operator, in the organisation of a customer. */
  isByOperator: boolean
}

export type Relation = 'direct' | 'common' | 'operator'

/** Who is related to whom by the empowerments of one organisation that are recent enough to count. */
export interface Lineage {
  relation(this: void, one: string, other: string): Relation | undefined
  /** Whether one of them gave the other one access, also through further people. */
  hasEmpowered(this: void, one: string, other: string): boolean
  /** The people of the operator who gave somebody access to the organisation of a customer, also through others. */
  operatorsBehind(this: void, userId: string): string[]
}

export interface LineageSource {
  /** For how many days an empowerment relates people. */
  readonly days: number
  readIn(this: void, tx: Tx, orgId: string): Promise<Lineage>
}
