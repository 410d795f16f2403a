import type { Translated } from '../translated.ts'
import type {
  branding as englishBranding,
  fees as englishFees,
  policies as englishPolicies,
  settings as englishSettings,
  verification as englishVerification,
} from '../en/settings.ts'

export const settings: Translated<typeof englishSettings> = {
  title: 'Paramètres',
  views: 'Paramètres',
  profile: 'Organisation',
  branding: 'Image de marque',
  verification: 'Vérification',
  approvals: 'Approbations',
  fees: 'Frais',
  edit: 'Modifier',
  save: 'Enregistrer',
  saved: 'Les paramètres ont été enregistrés.',
  held: 'La modification attend une seconde personne.',
  name: 'Nom',
  country: 'Pays',
  countryHint: 'Deux lettres, par exemple KE.',
  cards: 'Cartes',
  cardChoices: {
    allowed: 'Acceptées par votre intégration',
    hosted_only: 'Uniquement sur les pages du prestataire',
  },
  hosts: 'Adresses de retour',
  hostsHint: 'Hôtes vers lesquels les payeurs peuvent être renvoyés, un par ligne.',
  noHosts: 'aucune',
  features: 'Fonctionnalités',
  none: 'aucune',
  id: 'Identifiant de l’organisation',
  created: 'Créée',
  editTitle: 'Modifier l’organisation',
}

export const branding: Translated<typeof englishBranding> = {
  color: 'Couleur d’accentuation',
  colorHint:
    'Six chiffres hexadécimaux, par exemple #0b6e4f. Le texte y reste lisible, quelle que soit la couleur choisie.',
  standard: 'Utiliser la couleur standard',
  logo: 'Logo',
  logoHint: 'PNG, JPEG ou WebP de 64 Ko au maximum.',
  hasLogo: 'Vous avez un logo. L’aperçu l’affiche lorsque vous le choisissez de nouveau.',
  removeLogo: 'Supprimer le logo',
  tooLarge: 'Le fichier dépasse 64 Ko.',
  preview: 'Aperçu de votre page de paiement',
  invoice: 'Facture 2041',
  save: 'Enregistrer l’image de marque',
}

export const verification: Translated<typeof englishVerification> = {
  text: 'Les versements sont ouverts une fois votre entreprise vérifiée.',
  status: 'Statut',
  statuses: {
    not_started: 'Non commencée',
    pending: 'À compléter',
    in_review: 'En cours d’examen',
    approved: 'Approuvée',
    rejected: 'Rejetée',
  },
  reason: 'Motif',
  payouts: 'Versements',
  payoutsNeed: 'exigent une vérification approuvée',
  payoutsFree: 'n’exigent pas de vérification',
  customer: 'Identifiant chez le prestataire de vérification',
  start: 'Commencer la vérification',
  again: 'Soumettre de nouveau',
  startText: 'Vous complétez le dossier sur la page du prestataire de vérification.',
  legalName: 'Dénomination sociale',
  registration: 'Numéro d’immatriculation',
  started: 'La vérification a commencé.',
  continue: 'Continuer chez le prestataire de vérification',
}

export const policies: Translated<typeof englishPolicies> = {
  text: 'À partir de ces montants, les versements exigent un second approbateur, qui est un administrateur. Sans règle, une seule approbation suffit.',
  currency: 'Devise',
  payoutFrom: 'Versement à partir de',
  dailyFrom: 'Versements sur 24 heures à partir de',
  refundFrom: 'Remboursement à partir de',
  refundDailyFrom: 'Remboursements sur 24 heures à partir de',
  refundHint: 'Facultatif. Sans ce montant, un remboursement isolé n’attend pas.',
  refundDailyHint: 'Facultatif. À partir de ce total, chaque remboursement exige la seconde approbation.',
  noDaily: 'aucune limite',
  empty: 'Aucune règle d’approbation',
  emptyText:
    'Chaque versement exige une approbation, donnée par une autre personne que celle qui l’a initié.',
  edit: 'Ajouter ou modifier',
  editTitle: 'Règle d’approbation d’une devise',
  editText: 'Une règle moins stricte peut attendre une seconde personne.',
  dailyHint:
    'Facultatif. À partir de cette somme, chaque versement de la journée exige le second approbateur.',
  remove: 'Supprimer',
  removeOf: (currency: string) => `Supprimer la règle pour ${currency}`,
  removeTitle: 'Supprimer cette règle ?',
  removeText: (currency: string) => `Les versements en ${currency} exigent alors une seule approbation.`,
  actions: 'Actions',
}

export const fees: Translated<typeof englishFees> = {
  text: 'Ce que l’exploitant facture pour les paiements. Le premier barème qui correspond à un paiement s’applique.',
  label: 'Barème',
  applies: 'S’applique à',
  everything: 'tous les paiements',
  directions: { payin: 'entrant', payout: 'sortant' },
  fee: 'Frais',
  bounds: 'Minimum et maximum',
  unbounded: 'aucun',
  refund: 'En cas de remboursement',
  returned: 'restitués',
  kept: 'conservés',
  since: 'Depuis',
  empty: 'Aucuns frais',
  emptyText: 'Aucun barème de frais ne s’applique à votre organisation.',
}
