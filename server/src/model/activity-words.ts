/**
 * Words of activities by their meaning: English | German | French | Spanish, without accents and in lower case. A word
 * that ends with `-` may be continued: `bestell-` is also `bestellung`.
 */
const meanings: readonly string[] = [
  'order orders | bestell- auftrag- | commande- | pedido- orden-',
  'ship shipped shipping shipment send sent dispatch dispatched | versenden versand versendet versandt verschicken senden gesendet | expedier expedie- expedition envoyer envoye- | enviar envi-',
  'deliver delivered delivery | lieferung liefern ausliefern ausgeliefert geliefert | livrer livre- livraison | entreg-',
  'goods items | ware waren | marchandise- | mercancia- mercaderia-',
  'invoice invoices bill | rechnung- | facture- | factura-',
  'pay paid payment | zahlung- zahlen bezahl- gezahlt | payer paye- paiement | pagar pago- pagado',
  'receive received receipt | empfang- erhalten erhalt eingang eingegangen | recevoir recu reception | recibir recibid- recepcion',
  'create created | anlegen angelegt erstell- | creer cree- creation | crear cread- creacion',
  'open opened | offnen geoffnet eroffn- | ouvrir ouvert- ouverture | abrir abiert- apertura',
  'close closed closing | schliess- geschlossen abschliessen abgeschlossen | fermer ferme- fermeture cloturer cloture- | cerrar cerrad- cierre',
  'check checked checking verify verified | pruf- gepruft uberpruf- | verifier verifie- controler controle- verification | verificar verificad- comprobar revisar revis-',
  'credit | kredit- bonitat- | credit | credito-',
  'approve approved approval | genehmig- freigabe freigeben freigegeben | approuver approuve- approbation | aprob-',
  'reject rejected rejection refuse refused | ablehn- abgelehnt | rejeter rejete- rejet refuser | rechaz-',
  'cancel canceled cancelled cancellation | stornier- storno abbrechen abgebrochen | annuler annule- annulation | cancelar cancelad- anular anulad- anulacion',
  'pack packed packing | verpack- packen gepackt | emballer emballe- emballage | empaquet- embal-',
  'pick picked picking | kommissionier- | preparer prepare- preparation | preparar preparad-',
  'request requests requested | anfrage- angefragt anforder- antrag- beantrag- | demande- demander | solicit- peticion-',
  'offer offers quote quotation | angebot- | offre- devis | oferta- presupuesto-',
  'contract contracts | vertrag- | contrat contrats | contrato-',
  'customer customers client | kunde- kund- | client clients | cliente-',
  'supplier suppliers vendor | lieferant- | fournisseur- | proveedor-',
  'complaint complaints claim | beschwerde- reklamation- | reclamation- plainte- | reclam- queja-',
  'ticket tickets incident incidents | vorgang- storung- | incident incidents | incidencia- incidente-',
  'assign assigned assignment | zuweis- zugewiesen zuordn- zugeordnet | assigner affecter affecte- attribuer | asignar asignad- asignacion',
  'register registered registration | registrier- erfass- | enregistrer enregistre- | registrar registrad- registro',
  'start started begin begun | starten gestartet beginn- begonnen | commencer commence- demarrer demarre- | empezar iniciar iniciad- inicio',
  'end ended finish finished complete completed | beenden beendet fertig- | terminer termine- fin finir | finalizar finalizad- terminar terminad-',
  'accept accepted acceptance | annehmen angenommen annahme akzeptier- | accepter accepte- acceptation | aceptar aceptad- aceptacion',
  'review reviewed examine examined | begutacht- durchsicht | examiner examine- examen | examinar examinad-',
  'decide decided decision | entscheid- entschieden | decider decide- decision | decidir decidid-',
  'inform informed notify notified notification | benachricht- informier- | informer informe- notifier notifie- notification | informar informad- notificar notificad-',
  'change changed update updated | ander- geandert aktualisier- | modifier modifie- modification | cambiar cambi- actualiz- modificar',
  'delete deleted remove removed | losch- geloscht entfern- | supprimer supprime- suppression | eliminar eliminad- borrar',
  'resolve resolved solve solved solution | losen gelost losung- | resoudre resolu- solution | resolver resuelt- solucion-',
  'book booked booking | buchen gebucht buchung- | reserver reserve- reservation | reservar reservad- reserva-',
  'return returned | rucksend- retoure- zuruckgeben zuruckgegeben | retour retourner | devolver devolucion-',
  'calculate calculated | berechn- kalkulier- | calculer calcule- calcul | calcular calculad-',
  'document documents | dokument- unterlage- | document documents | documento-',
  'sign signed signature | unterschr- unterzeichn- | signer signe- signature | firmar firmad- firma',
  'plan planned | planen geplant planung | planifier planifie- | planific-',
  'produce produced production | produzier- herstell- produktion | produire produit production | producir producid- produccion',
  'purchase purchased buy bought | einkauf- kaufen gekauft | achat- acheter achete- | compra- comprar comprad-',
  'sell sold sale | verkauf- | vendre vendu vente- | vender vendid- venta-',
  'wait waiting | warten wartet gewartet | attendre attente | esperar espera',
  'test tested testing | testen getestet | tester teste- | probar probad- prueba-',
  'repair repaired | reparier- reparatur- | reparer repare- reparation | reparar reparad- reparacion',
  'patient patients | patient- | patient patients | paciente-',
  'admit admitted admission | aufnehmen aufgenommen aufnahme | admettre admis admission | admitir admitid- ingres-',
  'discharge discharged release released | entlass- | sortie- | alta',
];

const fillers = new Set(
  'a an the of to for der die das den dem des ein eine einen von zu fur la le les l un une du de d el los las al'.split(
    ' ',
  ),
);

interface Word {
  readonly text: string;
  readonly meaning: number;
  readonly language: number;
}

const words: readonly Word[] = meanings.flatMap((row, meaning) =>
  row.split(' | ').flatMap((own, language) => own.split(' ').map((text) => ({ text, meaning, language }))),
);

/** What a label means. */
export interface LabelMeaning {
  /** Equal for labels that mean the same. */
  readonly text: string;
  /** The languages that have all of its known words. */
  readonly languages: ReadonlySet<number>;
}

/**
 * What the words of a label mean, in any order, without articles; undefined where no word is known.
 * @param label in lower case and without accents, its words apart by one blank
 */
export function meaningOfLabel(label: string): LabelMeaning | undefined {
  const found = label
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => ({ word, known: wordsLike(word) }));
  const known = found.filter((each) => each.known.length > 0);
  if (known.length === 0) return undefined;
  const languages = [0, 1, 2, 3].filter((language) =>
    known.every((each) => each.known.some((one) => one.language === language)),
  );
  const texts = found.map(({ word, known: [first] }) => (first ? `#${first.meaning}` : word));
  return { text: texts.toSorted().join(' '), languages: new Set(languages) };
}

/** The known words that a word is or begins with; of several meanings those of the longest. */
function wordsLike(word: string): readonly Word[] {
  const exact = words.filter(({ text }) => text === word);
  if (exact.length > 0) return exact.filter(({ meaning }) => meaning === exact[0]?.meaning);
  const begun = words
    .filter(({ text }) => text.endsWith('-') && word.startsWith(text.slice(0, -1)))
    .toSorted((one, other) => other.text.length - one.text.length);
  return begun.filter(({ meaning }) => meaning === begun[0]?.meaning);
}
