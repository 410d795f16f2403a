import type { Translated } from '../translated.ts'
import type { apiKeys as english } from '../en/api-keys.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('fr')

export const apiKeys: Translated<typeof english> = {
  title: 'Clés API',
  name: 'Nom',
  nameHint: 'Où la clé est utilisée, par exemple « checkout, production ».',
  owner: 'Propriétaire',
  you: 'vous',
  status: 'Statut',
  statuses: { active: 'Active', expiring: 'Remplacée', revoked: 'Révoquée', expired: 'Expirée' },
  scopes: 'Permissions',
  allScopes: 'toutes les permissions',
  someScopes: (count: number) =>
    plural(count, { one: '# permission', many: '# de permissions', other: '# permissions' }),
  lastUsed: 'Dernière utilisation',
  never: 'jamais',
  until: 'jusqu’au',
  since: 'depuis le',
  actions: 'Actions',
  empty: 'Aucune clé API pour le moment',
  emptyText:
    'Votre intégration appelle l’API avec une clé. Une clé peut faire ce que peut faire son propriétaire, ou moins.',
  create: 'Créer une clé',
  createTitle: 'Créer une clé API',
  createText: 'La clé agit en votre nom et perd ses droits lorsque vous perdez les vôtres.',
  scopesHint: 'Sans choix, la clé peut faire tout ce que vous pouvez faire.',
  expiry: 'Expire le',
  expiryHint: 'Facultatif. La clé cesse de fonctionner à la fin de cette journée.',
  allowedIps: 'Adresses autorisées',
  allowedIpsHint:
    'Facultatif. Adresses IP ou réseaux comme 203.0.113.0/24, séparés par des virgules ou des espaces. La clé est refusée de partout ailleurs.',
  fromSome: (count: number) =>
    plural(count, { one: 'depuis # réseau', many: 'depuis # de réseaux', other: 'depuis # réseaux' }),
  secretTitle: 'Votre nouvelle clé',
  secretText: 'Envoyez-la dans l’en-tête X-Api-Key.',
  secretLabel: 'clé API',
  rotate: 'Renouveler',
  rotateOf: (name: string) => `Renouveler ${name}`,
  rotateTitle: 'Renouveler cette clé ?',
  rotateText: 'Vous obtenez une nouvelle clé avec le même nom et les mêmes permissions.',
  overlap: 'L’ancienne clé fonctionne encore pendant',
  overlaps: {
    '86400': '1 jour',
    '3600': '1 heure',
    '604800': '7 jours',
    '0': 'aucun délai : elle prend fin maintenant',
  },
  revoke: 'Révoquer',
  revokeOf: (name: string) => `Révoquer ${name}`,
  revokeTitle: 'Révoquer cette clé ?',
  revokeText: (name: string) =>
    `« ${name} » cesse de fonctionner immédiatement et définitivement, ainsi que toutes les clés créées avec elle.`,
  revoked: 'La clé a été révoquée.',
}
