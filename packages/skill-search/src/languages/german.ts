import { stemmer } from '@orama/stemmers/german';
import type { SearchLanguage } from './search-language.ts';
import { spelledLanguage } from './spelled-language.ts';

/** German requests and skills. */
export const german: SearchLanguage = /* @__PURE__ */ spelledLanguage({
  id: 'de',
  stem: stemmer,
  functionWords:
    'aber alle allem allen aller alles als also am an andere auch auf aus bei bevor bin bis bist bitte da damit dann das dass ' +
    'dein deine dem den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem ' +
    'einen einer eines er es etwas euer für gegen habe haben hat hatte hier hilf ich ihm ihn ihr ihre ihren im in ins ist ja ' +
    'jede jedem jeden jeder jedes jetzt kann kannst kein keine können könnte mach machen man mehr mein meine meinem meinen ' +
    'meiner mich mir mit möchte muss müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine sich sie sind ' +
    'so soll sollen sondern statt über um und uns unser unsere unserem unseren unserer unter vom von vor wann war warum was ' +
    'weil welche welchem welchen welcher welches wenn wer werden wie will wir wird wo wurde würde zu zum zur zwei zwischen',
  endings: [
    ['ierung', ['ation', 'ing']],
    ['ieren', ['ate', 'e', 'ize']],
    ['iere', ['ate', 'e', 'ize']],
    ['itat', ['ity']],
    ['tat', ['ty']],
    ['isch', ['ic', 'ical']],
    ['ische', ['ic', 'ical']],
    ['enz', ['ence', 'ency']],
    ['anz', ['ance']],
    ['ic', ['ics']],
    ['en', ['', 's']],
  ],
  letters: [['k', 'c']],
  joints: ['s', 'n', 'en', 'es', 'e'],
  glossary: `
build:bauen baue erstellen; user:benutzer nutzer anwender; create:anlegen erzeugen erstellen schaffen
implement:umsetzen einbauen implementieren; configure:einrichten konfigurieren einstellen; setup:einrichtung aufsetzen; skill:fähigkeit
generate:generieren erzeugen; manage:verwalten verwaltung; code:quelltext quellcode programmcode
design:entwerfen entwurf gestaltung gestalten; optimize:optimieren optimierung; pattern:muster; agent:agent; application:anwendung
app:anwendung app; data:daten; write:schreiben schreibe verfassen; project:projekt; file:datei; run:ausführen laufen starten
performance:leistung geschwindigkeit; slow:langsam; fast:schnell beschleunigen; system:system; test:prüfung testen; product:produkt
service:dienst dienste; security:sicherheit; safe:sicher; model:modell; review:überprüfen begutachten durchsehen; query:abfrage abfragen
issue:problem; debug:fehlersuche entwanzen; deploy:ausliefern bereitstellen auslieferung bereitstellung
release:version veröffentlichung freigabe; tool:werkzeug; plan:planen plan planung; check:prüfen prüfe überprüfen kontrollieren
verify:überprüfen bestätigen nachprüfen; structure:struktur aufbau strukturieren; error:fehler; fail:scheitern fehlschlagen ausfallen
failure:ausfall störung; outage:ausfall; integrate:einbinden integrieren; integration:anbindung integration
workflow:ablauf arbeitsablauf; trigger:auslösen auslöser; documentation:dokumentation; document:dokument; analysis:analyse auswertung
analyze:analysieren auswerten; request:anfrage; development:entwicklung; developer:entwickler; strategy:strategie; task:aufgabe
resource:ressource; log:protokoll logdatei; troubleshoot:störung beheben; requirement:anforderung; migrate:migrieren umziehen umstellen
migration:migration umstellung umzug; ads:anzeige anzeigen werbung; advertising:werbung werben; campaign:kampagne
metric:kennzahl messwert; operation:betrieb vorgang; update:aktualisieren aktualisierung; upgrade:aktualisieren upgrade; source:quelle
feature:funktion merkmal; page:seite; website:website webseite internetseite; home:startseite; report:bericht; change:ändern änderung
improve:verbessern verbesserung; list:liste auflisten; guide:anleitung leitfaden; automate:automatisieren automatisch; event:ereignis
type:typ; time:zeit; realtime:echtzeit; quality:qualität; output:ausgabe; infrastructure:infrastruktur; evaluate:bewerten auswerten
connect:verbinden; connection:verbindung; component:komponente baustein; library:bibliothek; local:lokal örtlich; find:finden suchen
monitor:überwachen überwachung; fix:beheben reparieren korrigieren; search:suche suchen durchsuchen; engine:maschine; pipeline:pipeline
database:datenbank; template:vorlage; edit:bearbeiten; access:zugriff zugang; marketing:marketing vermarktung; market:markt
content:inhalt inhalte; control:steuern steuerung; server:server; dependency:abhängigkeit; package:paket verpacken
load:laden auslastung last; read:lesen; cost:kosten; bill:rechnung; invoice:rechnung; price:preis
pricing:preise preisgestaltung preisstufe; pay:bezahlen zahlen; payment:zahlung bezahlung; subscription:abonnement abo
cancel:kündigen stornieren abbrechen; customer:kunde kunden; company:firma unternehmen; policy:richtlinie
authentication:authentifizierung anmeldung; login:anmelden anmeldung einloggen; password:passwort kennwort; key:schlüssel
secret:geheimnis; token:token; role:rolle; permission:berechtigung recht; text:text; copy:werbetext text
clean:aufräumen säubern bereinigen; cleanup:aufräumen; enable:aktivieren einschalten; onboarding:einarbeitung einführung
detect:erkennen; environment:umgebung; interface:schnittstelle oberfläche; endpoint:endpunkt; training:training schulung fortbildung
script:skript; shell:shell; browser:browser; track:verfolgen nachverfolgen messung; trace:verfolgen; support:unterstützung unterstützen
help:hilfe helfen; open:öffnen offen; extract:herausziehen extrahieren ausziehen; publish:veröffentlichen; distributed:verteilt
schema:schema; prompt:eingabe; install:installieren; convert:umwandeln konvertieren wandle; conversion:konversion umwandlung
rate:rate quote; language:sprache; storage:speicher speicherplatz; store:speichern laden geschäft; shop:laden shop
memory:speicher arbeitsspeicher gedächtnis; disk:festplatte speicherplatz; space:platz raum speicherplatz; delete:löschen löschung
team:team mannschaft; mobile:mobil; phone:telefon handy; repository:repository quelltextverwaltung; branch:zweig
merge:zusammenführen mergen; conflict:konflikt; commit:commit; default:voreinstellung standard; filter:filter filtern
choose:wählen auswählen entscheiden; decision:entscheidung; architecture:architektur; record:aufzeichnung protokoll; recording:aufnahme
speech:sprache rede; audio:ton audio; transcribe:abschreiben transkribieren; transcript:mitschrift abschrift
meeting:besprechung sitzung treffen termin; minutes:protokoll; response:antwort; answer:antwort antworten; question:frage; bug:fehler
vulnerability:schwachstelle sicherheitslücke; attack:angriff angreifen; attacker:angreifer; threat:bedrohung; risk:risiko
runtime:laufzeit; result:ergebnis; module:modul; async:nebenläufig gleichzeitig; concurrent:gleichzeitig nebenläufig; parallel:parallel
capture:aufnehmen erfassen; command:befehl kommando; link:verweis verknüpfung; case:fall; image:bild; picture:bild
diagram:diagramm schaubild; chart:diagramm; path:pfad weg; style:stil; profile:profil; loop:schleife; scale:skalieren; landing:landung
assess:beurteilen bewerten; understand:verstehen; domain:domäne; remote:entfernt; credential:zugangsdaten; account:konto
alert:alarm warnung; analytics:auswertung messung; compliance:vorschrift einhaltung; privacy:datenschutz
personal:persönlich personenbezogen; law:gesetz recht; gdpr:dsgvo datenschutz; contract:vertrag; employee:mitarbeiter angestellter
employment:anstellung arbeitsvertrag; interview:interview befragung; research:recherche forschung recherchieren forschen
machine:maschine; instruction:anweisung anleitung; technical:technisch; engineering:technik ingenieur
history:verlauf geschichte vergangenheit; historical:vergangen historisch; cache:zwischenspeicher; message:nachricht; table:tabelle
spreadsheet:tabelle tabellenkalkulation; formula:formel; email:email mail; switch:wechseln umschalten; step:schritt
measure:messen messung; human:mensch menschlich; refactor:umbauen; microservices:microservice dienst; idea:idee; dashboard:übersicht
complex:komplex; usage:nutzung gebrauch; limit:grenze begrenzung; form:formular; launch:markteinführung start
approval:freigabe genehmigung freigeben; stage:stufe phase; feedback:rückmeldung; layout:anordnung; note:notiz; video:film video
crash:absturz abstürzen; backend:server; frontend:oberfläche; community:gemeinschaft; queue:warteschlange; compiler:compiler übersetzer
prevent:verhindern vorbeugen; brand:marke; plugin:plugin erweiterung; navigation:navigation; index:index; compare:vergleichen vergleich
screen:bildschirm; reader:leser; blind:blind; accessibility:barrierefrei barrierefreiheit; keyword:stichwort suchbegriff
business:geschäft; competitor:konkurrent wettbewerber mitbewerber; startup:startup gründung; incident:vorfall störung
postmortem:nachbetrachtung schuldzuweisung; blameless:schuldzuweisung; runbook:handbuch; recovery:wiederherstellung; archive:archiv
free:kostenlos frei; presentation:präsentation vortrag; slide:folie; reliability:zuverlässigkeit; dataset:datensatz
draft:entwurf entwerfen; send:senden schicken; explain:erklären erläutern; offer:angebot anbieten; experiment:versuch experiment
variant:variante; headline:überschrift schlagzeile; title:titel überschrift; description:beschreibung; budget:etat budget
legacy:alt veraltet altsystem; outdated:veraltet; modernize:modernisieren; monolith:monolith; convention:konvention
backup:sicherung datensicherung; example:beispiel; certificate:zertifikat; series:reihe serie; sequence:folge reihe
welcome:willkommen begrüßung; graph:graph; group:gruppe; summary:zusammenfassung; evidence:beleg beweis
claim:behauptung aussage behaupten; fact:tatsache fakt; true:wahr stimmt; coverage:abdeckung; word:wort; pdf:pdf; status:zustand status
schedule:zeitplan; ticket:ticket; duplicate:doppelt duplikat; position:position stelle; resilience:widerstandsfähigkeit; theme:thema
topic:thema; animation:animation; workspace:arbeitsbereich; readable:lesbar; wording:formulierung; paragraph:absatz; rewrite:umschreiben
article:artikel; blog:blog; game:spiel; player:spieler; story:geschichte; number:zahl nummer; people:leute menschen
speed:geschwindigkeit tempo; order:bestellung bestellen; transfer:übertragen; growth:wachstum; audience:zielgruppe publikum
handoff:übergabe; sales:vertrieb verkauf verkaufen; revenue:umsatz einnahmen; forecast:prognose prognostizieren vorhersage
financial:finanziell finanzen; trading:handel handelsstrategie; stock:aktie kurs; signup:registrierung anmeldung
font:schrift schriftart; color:farbe; icon:symbol; spec:spezifikation; unit:einheit; mock:attrappe; vector:vektor; similar:ähnlich
chatbot:chatbot; retrieval:abruf suche; embedding:einbettung; tune:feinabstimmung abstimmen; influencer:influencer follower
follower:follower anhänger; referral:empfehlung empfehlen; reward:belohnung prämie; churn:abwanderung kündigung; retention:bindung
paywall:bezahlschranke; credit:kredit kreditkarte; card:karte; translate:übersetzen übersetzung; localization:lokalisierung sprache
i18n:internationalisierung übersetzen; download:herunterladen; upload:hochladen; sensor:sensor; microcontroller:mikrocontroller
firmware:firmware; embedded:eingebettet; kubernetes:kubernetes; manifest:manifest; cluster:cluster; container:container behälter
ownership:eigentum besitz; generic:generisch; condition:bedingung; function:funktion; class:klasse; variable:variable; view:ansicht
transaction:transaktion; downtime:ausfallzeit stillstand; separate:trennen aufteilen; split:aufteilen teilen; visitor:besucher
buy:kaufen; subscriber:abonnent; lead:interessent; prospect:interessent; social:sozial; post:beitrag; press:presse; public:öffentlich
survey:umfrage; board:vorstand; management:geschäftsleitung verwaltung; executive:vorstand geschäftsleitung; roadmap:fahrplan; goal:ziel
value:wert; missing:fehlend lücke; validation:prüfung validierung; wrong:falsch; timeout:zeitüberschreitung; network:netz netzwerk
traffic:verkehr; firewall:firewall; encryption:verschlüsselung; signature:signatur unterschrift; device:gerät; keyboard:tastatur
window:fenster; desktop:schreibtisch; terminal:konsole; notification:benachrichtigung; calendar:kalender; map:karte; photo:foto
scan:scannen; print:drucken; tax:steuer; bank:bank; shipping:versand; hosting:hosting; provision:bereitstellen; quota:kontingent
logging:protokollierung; program:programm programmieren; standard:standard norm; state:zustand; region:region; identity:identität
knowledge:wissen; hybrid:hybrid; batch:stapel; option:option möglichkeit; size:größe groß; menu:menü; fetch:abrufen holen
folder:ordner verzeichnis; import:importieren einlesen; export:exportieren ausgeben; stream:strom; session:sitzung
observability:beobachtbarkeit; comprehensive:umfassend gründlich; native:nativ; live:live; transformation:transformation wandel
health:gesundheit; capacity:kapazität; governance:steuerung; assets:material; platform:plattform; undo:rückgängig
revert:zurücksetzen rückgängig; rollback:zurückrollen rückgängig; reuse:wiederverwenden wiederverwendbar; element:element
calculate:berechnen ausrechnen; portfolio:portfolio depot; spend:ausgeben ausgaben; reduce:senken verringern reduzieren
increase:erhöhen steigern; cloud:cloud; adapt:anpassen; organize:organisieren ordnen; remind:erinnern; sms:sms kurznachricht
newspaper:zeitung; media:medien presse; popup:einblendung fenster; exit:verlassen; give:geben verschenken; address:adresse
percent:prozent; shift:schicht bereitschaft bereitschaftsdienst; on-call:bereitschaft bereitschaftsdienst; rotate:wechseln; large:groß
small:klein; new:neu; old:alt; cheap:billig günstig; expensive:teuer; quick:schnell; month:monat; quarter:quartal; week:woche
daily:täglich tag; night:nacht; year:jahr; reason:grund; cause:ursache; root:wurzel; solution:lösung; section:abschnitt; chapter:kapitel
book:buch; letter:brief; sentence:satz; grammar:grammatik; spelling:rechtschreibung; tone:ton; voice:stimme; music:musik
sound:klang ton; camera:kamera; drawing:zeichnung zeichnen; tree:baum; node:knoten; edge:kante rand; object:objekt; string:zeichenkette
array:feld; thread:faden; lock:sperre; leak:leck; patch:flicken; refund:erstattung; discount:rabatt; coupon:gutschein; cart:warenkorb
checkout:kasse bestellvorgang; delivery:lieferung; supplier:lieferant; partner:partner; investor:investor anleger; hire:einstellen
job:stelle arbeitsplatz; resume:lebenslauf; salary:gehalt; course:kurs; teach:lehren unterrichten; learn:lernen; student:schüler student
science:wissenschaft; math:mathematik; statistics:statistik; probability:wahrscheinlichkeit; simulation:simulation; clock:uhr
`,
});
