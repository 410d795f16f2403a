import type { Translated } from '../translated.ts'
import type { states as english } from '../en/states.ts'

/** What every screen can say: loading, empty, refused, failed. */
export const states: Translated<typeof english> = {
  loading: 'Chargement',
  tryAgain: 'Réessayer',
  failed: 'Le chargement a échoué.',
  offline: 'Le serveur est injoignable. Vérifiez votre connexion.',
  requestId: 'Identifiant de requête',
  copy: 'Copier',
  copied: 'Copié',
  cancel: 'Annuler',
  you: 'vous',
  outcomeUnknown:
    'La connexion a été perdue et nul ne sait si l’opération a été exécutée. Vérifiez avant de la répéter ; répétée d’ici, elle est exécutée une fois au plus.',
  startOver: 'Recommencer',
  filters: 'Filtres',
  any: 'Tous',
  clear: 'Effacer les filtres',
  moreFilters: 'Plus de filtres',
  fewerFilters: 'Moins de filtres',
  noMatch: 'Aucun résultat pour ces filtres',
  noMatchText: 'Modifiez ou effacez les filtres pour voir davantage de résultats.',
  next: 'Plus anciens',
  first: 'Plus récents',
  times: 'Heures en',
  export: 'Exporter en CSV',
  exporting: 'Export en cours…',
  forbidden: 'Vous n’avez pas accès à cette page.',
  forbiddenHint: 'Demandez à un administrateur de votre organisation la permission',
  notFound: 'Cette page n’existe pas.',
  backHome: 'Retour à l’accueil',
}
