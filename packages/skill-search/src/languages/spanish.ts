import { stemmer } from '@orama/stemmers/spanish';
import type { SearchLanguage } from './search-language.ts';
import { spelledLanguage } from './spelled-language.ts';

/** Spanish requests and skills. */
export const spanish: SearchLanguage = /* @__PURE__ */ spelledLanguage({
  id: 'es',
  stem: stemmer,
  functionWords:
    'a al algo ante antes así aún aunque cada como cómo con cual cuál cuáles cuando cuánto de del desde donde dónde dos e el ' +
    'él ella ellos en entre era es esa ese eso esta está están estas este esto estos fue ha hace haz hay hasta la las le les ' +
    'lo los más me mi mis mucho muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o otra otro para pero poder por ' +
    'porque pueda puede puedo qué que quién quiero se sea ser si sí sin sobre su sus también tan te tener tengo tiene todas ' +
    'todo todos tras tu tus un una unas uno unos usar ya yo y necesito debe deben debería',
  endings: [
    ['cion', ['tion']],
    ['ciones', ['tions']],
    ['sion', ['sion']],
    ['dad', ['ty']],
    ['dades', ['ties']],
    ['izar', ['ize']],
    ['ico', ['ic', 'ical']],
    ['ica', ['ic', 'ics']],
    ['encia', ['ence', 'ency']],
    ['ancia', ['ance']],
    ['ario', ['ary']],
    ['ivo', ['ive']],
    ['iva', ['ive']],
    ['ente', ['ent']],
    ['ema', ['em']],
    ['ar', ['ate', 'e', '']],
    ['o', ['', 'e']],
    ['os', ['s', 'es']],
  ],
  glossary: `
build:construir compilar; user:usuario; create:crear; implement:implementar; configure:configurar; setup:configuración instalación
skill:habilidad; generate:generar; manage:gestionar administrar; code:código; design:diseñar diseño; optimize:optimizar optimización
pattern:patrón patrones; agent:agente; application:aplicación; app:aplicación app; data:datos dato; write:escribir redactar
project:proyecto; file:archivo fichero; run:ejecutar; performance:rendimiento; slow:lento lenta; fast:rápido rápida acelerar
system:sistema; test:prueba probar pruebas; product:producto; service:servicio; security:seguridad; safe:seguro segura; model:modelo
review:revisar revisión; query:consulta consultar; issue:problema incidencia; debug:depurar depuración; deploy:desplegar despliegue
release:versión lanzamiento publicación; tool:herramienta; plan:planificar planear plan; check:comprobar revisar verificar
verify:verificar comprobar; structure:estructura estructurar; error:error errores fallo; fail:fallar fracasar
failure:fallo avería caída; outage:caída interrupción; integrate:integrar; integration:integración; workflow:flujo
trigger:disparar desencadenar; documentation:documentación; document:documento; analysis:análisis; analyze:analizar
request:petición solicitud; development:desarrollo; developer:desarrollador; strategy:estrategia; task:tarea; resource:recurso
log:registro bitácora; troubleshoot:solucionar resolver; requirement:requisito; migrate:migrar; migration:migración
ads:anuncio publicidad publicitario; advertising:publicidad promocionar; campaign:campaña; metric:métrica indicador; operation:operación
update:actualizar actualización; upgrade:actualizar; source:fuente; feature:función característica; page:página; website:sitio web
home:inicio; report:informe reporte; change:cambiar cambio; improve:mejorar mejora; list:lista listar; guide:guía
automate:automatizar automático automáticamente; event:evento; type:tipo; time:tiempo; realtime:real; quality:calidad; output:salida
infrastructure:infraestructura; evaluate:evaluar; connect:conectar; connection:conexión; component:componente
library:biblioteca librería; local:local; find:encontrar hallar; monitor:monitorizar supervisar monitoreo; fix:arreglar corregir reparar
search:buscar búsqueda; engine:motor buscador; pipeline:pipeline canalización; database:base datos; template:plantilla; edit:editar
access:acceso acceder; marketing:marketing mercadotecnia; market:mercado; content:contenido; control:controlar; server:servidor
dependency:dependencia; package:paquete empaquetar; load:cargar carga; read:leer; cost:coste costo costar; bill:factura
invoice:factura facturar; price:precio; pricing:precios tarifa; pay:pagar; payment:pago; subscription:suscripción; cancel:cancelar
customer:cliente; company:empresa compañía; policy:política; authentication:autenticación; login:sesión; password:contraseña; key:clave
secret:secreto; token:token; role:rol; permission:permiso; text:texto; copy:texto copia; clean:limpiar; cleanup:limpieza
enable:activar habilitar; onboarding:incorporación; detect:detectar; environment:entorno; interface:interfaz; endpoint:endpoint
training:entrenamiento formación capacitación; script:script guion; shell:shell; browser:navegador; track:seguir rastrear seguimiento
trace:traza rastro; support:soporte apoyo; help:ayuda ayudar; open:abrir abierto; extract:extraer; publish:publicar
distributed:distribuido; schema:esquema; prompt:prompt indicación; install:instalar; convert:convertir; conversion:conversión; rate:tasa
language:idioma lenguaje; storage:almacenamiento; store:guardar almacenar tienda almacén; shop:tienda; memory:memoria; disk:disco
space:espacio; delete:borrar eliminar; team:equipo; mobile:móvil; phone:teléfono móvil; repository:repositorio; branch:rama
merge:fusionar combinar; conflict:conflicto; commit:commit confirmar; default:predeterminado; filter:filtro filtrar
choose:elegir escoger; decision:decisión; architecture:arquitectura; record:registro; recording:grabación; speech:voz habla; audio:audio
transcribe:transcribir; transcript:transcripción; meeting:reunión cita; minutes:acta; response:respuesta; answer:respuesta responder
question:pregunta; bug:error fallo; vulnerability:vulnerabilidad; attack:ataque; attacker:atacante; threat:amenaza; risk:riesgo
runtime:ejecución; result:resultado; module:módulo; async:asíncrono simultáneamente; concurrent:concurrente vez simultáneo
parallel:paralelo; capture:capturar; command:comando; link:enlace vínculo; case:caso; image:imagen; picture:imagen foto
diagram:diagrama; chart:gráfico; path:ruta camino; style:estilo; profile:perfil; loop:bucle; scale:escalar; landing:aterrizaje destino
assess:valorar evaluar; understand:entender comprender; domain:dominio; remote:remoto; credential:credencial; account:cuenta
alert:alerta alarma; analytics:analítica; compliance:cumplimiento; privacy:privacidad; personal:personal; law:ley legal; gdpr:rgpd
contract:contrato; employee:empleado; employment:empleo laboral; interview:entrevista; research:investigar investigación
machine:máquina; instruction:instrucción; technical:técnico; engineering:ingeniería; history:historia historial pasado
historical:histórico pasado; cache:caché; message:mensaje; table:tabla; spreadsheet:hoja cálculo tabla; formula:fórmula
email:correo email; switch:cambiar; step:paso; measure:medir; human:humano persona; refactor:refactorizar; microservices:microservicio
idea:idea; dashboard:panel tablero; complex:complejo; usage:uso; limit:límite; form:formulario; launch:lanzamiento lanzar
approval:aprobación aprobar; stage:etapa fase; feedback:retroalimentación comentarios; layout:disposición; note:nota
video:vídeo película; crash:bloqueo caída; backend:servidor; frontend:interfaz; community:comunidad; queue:cola; compiler:compilador
prevent:prevenir evitar; brand:marca; plugin:plugin complemento; navigation:navegación; index:índice; compare:comparar comparación
screen:pantalla; reader:lector; blind:ciego; accessibility:accesibilidad accesible; keyword:palabra clave; business:negocio
competitor:competidor competencia; startup:startup; incident:incidente; postmortem:postmortem culpables; blameless:culpables
runbook:manual; recovery:recuperación; archive:archivo; free:gratis gratuito libre; presentation:presentación; slide:diapositiva
reliability:fiabilidad; dataset:conjunto; draft:borrador redactar; send:enviar mandar; explain:explicar; offer:oferta ofrecer
experiment:experimento; variant:variante; headline:titular título; title:título; description:descripción; budget:presupuesto
legacy:antiguo heredado; outdated:obsoleto anticuado; modernize:modernizar; monolith:monolito; convention:convención
backup:respaldo copia; example:ejemplo; certificate:certificado; series:serie; sequence:secuencia serie; welcome:bienvenida; graph:grafo
group:grupo; summary:resumen; evidence:evidencia prueba; claim:afirmación; fact:hecho; true:verdad; coverage:cobertura; word:palabra
pdf:pdf; status:estado; schedule:programar horario; ticket:tique; duplicate:duplicado; position:posición; resilience:resiliencia
theme:tema; topic:tema; animation:animación; workspace:espacio; readable:legible; wording:redacción; paragraph:párrafo
rewrite:reescribir; article:artículo; blog:blog; game:juego; player:jugador; story:historia; number:número cifra; people:personas gente
speed:velocidad; order:pedido pedir; transfer:transferir; growth:crecimiento; audience:audiencia público; handoff:traspaso
sales:ventas venta; revenue:ingresos facturación; forecast:previsión pronóstico proyectar; financial:financiero finanzas
trading:trading comercio; stock:acción bolsa; signup:registro; font:tipografía fuente; color:color; icon:icono; spec:especificación
unit:unidad; mock:simulacro; vector:vector; similar:similar parecido; chatbot:chatbot; retrieval:recuperación; embedding:incrustación
tune:ajustar afinar; influencer:influencer seguidores; follower:seguidores seguidor; referral:recomendación recomendar referido
reward:recompensa premio; churn:abandono cancelación; retention:retención; paywall:muro pago; credit:crédito; card:tarjeta
translate:traducir traducción; localization:localización idioma; i18n:internacionalización traducir idiomas; download:descargar descarga
upload:subir cargar; sensor:sensor; microcontroller:microcontrolador; firmware:firmware; embedded:embebido; kubernetes:kubernetes
manifest:manifiesto; cluster:clúster; container:contenedor; ownership:propiedad; generic:genérico; condition:condición; function:función
class:clase; variable:variable; view:vista; transaction:transacción; downtime:inactividad caída; separate:separar dividir
split:dividir separar; visitor:visitante; buy:comprar; subscriber:suscriptor; lead:cliente potencial; prospect:prospecto; social:social
post:publicación; press:prensa; public:público; survey:encuesta; board:junta directiva; management:dirección gestión
executive:directiva ejecutivo; roadmap:hoja ruta; goal:objetivo meta; value:valor; missing:faltante hueco; validation:validación
wrong:erróneo incorrecto; timeout:tiempo; network:red; traffic:tráfico; firewall:cortafuegos; encryption:cifrado; signature:firma
device:dispositivo; keyboard:teclado; window:ventana; desktop:escritorio; terminal:terminal; notification:notificación
calendar:calendario; map:mapa; photo:foto; scan:escanear; print:imprimir; tax:impuesto; bank:banco; shipping:envío; hosting:alojamiento
provision:aprovisionar; quota:cuota; logging:registro; program:programa programar; standard:estándar norma; state:estado; region:región
identity:identidad; knowledge:conocimiento; hybrid:híbrido; batch:lote; option:opción; size:tamaño; menu:menú; fetch:obtener recuperar
folder:carpeta directorio; import:importar; export:exportar; stream:flujo transmisión; session:sesión; observability:observabilidad
comprehensive:completo exhaustivo fondo; native:nativo; live:vivo directo; transformation:transformación; health:salud
capacity:capacidad; governance:gobernanza; assets:recursos material; platform:plataforma; undo:deshacer; revert:revertir deshacer
rollback:reversión deshacer; reuse:reutilizar reutilizable; element:elemento; calculate:calcular; portfolio:cartera; spend:gastar gasto
reduce:reducir; increase:aumentar; cloud:nube; adapt:adaptar; organize:organizar; remind:recordar; sms:sms mensaje texto
newspaper:periódico prensa; media:medios; popup:ventana emergente; exit:abandonar salir; give:dar regalar; address:dirección
percent:ciento porcentaje; shift:turno guardia; on-call:guardia; rotate:rotar; large:grande; small:pequeño; new:nuevo; old:antiguo viejo
cheap:barato; expensive:caro; quick:rápido; month:mes; quarter:trimestre; week:semana; daily:diario día; night:noche; year:año
reason:razón motivo; cause:causa; root:raíz; solution:solución; section:sección; chapter:capítulo; book:libro; letter:carta
sentence:frase; grammar:gramática; spelling:ortografía; tone:tono; voice:voz; music:música; sound:sonido; camera:cámara
drawing:dibujo dibujar; tree:árbol; node:nodo; edge:borde; object:objeto; string:cadena; array:arreglo; thread:hilo; lock:bloqueo
leak:fuga; patch:parche; refund:reembolso; discount:descuento; coupon:cupón; cart:carrito; checkout:pago compra; delivery:entrega
supplier:proveedor; partner:socio; investor:inversor; hire:contratar; job:empleo puesto trabajo; resume:currículum; salary:salario
course:curso; teach:enseñar; learn:aprender; student:estudiante; science:ciencia; math:matemáticas; statistics:estadística
probability:probabilidad; simulation:simulación; clock:reloj
`,
});
