from app.publications.service.finishing import finish as finish
from app.publications.service.finishing import finish_by_hand as finish_by_hand
from app.publications.service.finishing import finish_due as finish_due
from app.publications.service.finishing import reopen as reopen
from app.publications.service.publishing import publish as publish
from app.publications.service.publishing import publish_supplementary as publish_supplementary
from app.publications.service.superseding import supersede as supersede
