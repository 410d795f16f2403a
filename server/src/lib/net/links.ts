import { deriveRing, type KeyRing } from '../crypto/key-ring.ts'
import { readSignedIds, signIds, type SignedIds } from '../crypto/signed-ids.ts'

const paths = { invitation: '/invitations/', verification: '/verify/' } as const

/** The page that a link in a notice opens. */
export type LinkKind = keyof typeof paths

export const isLinkKind = (kind: string): kind is LinkKind => Object.hasOwn(paths, kind)

/**
 * Links to our own pages, whose token is the credential. The token is derived from the ids whenever it is shown, so
 * neither it nor its hash is stored; the row that it names decides whether the link is still valid.
 */
export interface Links {
  urlOf(kind: LinkKind, ids: SignedIds): string
  read(kind: LinkKind, token: string): SignedIds | undefined
}

export function createLinks(publicUrl: string, secrets: KeyRing): Links {
  const keys = {
    invitation: deriveRing(secrets, 'invitation links'),
    verification: deriveRing(secrets, 'verification links'),
  }
  return {
    urlOf: (kind, ids) => `${publicUrl}${paths[kind]}${signIds(keys[kind], ids)}`,
    read: (kind, token) => readSignedIds(keys[kind], token),
  }
}
